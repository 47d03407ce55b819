/** Values of metadata are JSON without null and booleans, because the property lists of macOS have the same types. */
export type MetadataValue = string | number | readonly MetadataValue[] | { readonly [key: string]: MetadataValue };
