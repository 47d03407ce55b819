import * as v from 'valibot';

/** Strings too, because JSON numbers keep about 15 digits only. What they say is read by `readDecimal`. */
export const NumberArgument = v.union([v.number(), v.string()]);
