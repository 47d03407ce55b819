/** A value of metadata is JSON without null and booleans, like the values of property lists. */
export type MetadataValue = string | number | readonly MetadataValue[] | { readonly [key: string]: MetadataValue };
