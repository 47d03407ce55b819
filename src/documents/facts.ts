/** A value of metadata is JSON without null and booleans, like the values of property lists. */
export type FactValue = string | number | readonly FactValue[] | { readonly [key: string]: FactValue };
