import * as v from 'valibot';

/** Accepts strings too, because a JSON number keeps about 15 digits. `readDecimal` parses both. */
export const NumberArgument = v.union([v.number(), v.string()]);
