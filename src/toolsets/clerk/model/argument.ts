import * as v from 'valibot';

/**
 * Strings are accepted too, because a JSON number keeps only about 15 digits. The function that parses the argument
 * accepts both types.
 */
export const NumberArgument = v.union([v.number(), v.string()]);
