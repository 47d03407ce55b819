import * as v from 'valibot';

/** Strings are accepted too, because a JSON number keeps only about 15 digits. `readDecimal` parses both types. */
export const NumberArgument = v.union([v.number(), v.string()]);
