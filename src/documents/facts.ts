/** A value that metadata can have: JSON without null and boolean, as property lists write it. */
export type FactValue = string | number | readonly FactValue[] | { readonly [key: string]: FactValue };
