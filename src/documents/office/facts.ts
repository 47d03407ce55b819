/** The metadata that an office file stores about itself. */
export interface OfficeMetadata {
  title: string | undefined;
  author: string | undefined;
  keywords: string | undefined;
}
