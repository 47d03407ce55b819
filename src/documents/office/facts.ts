/** What an office file states about itself. */
export interface OfficeFacts {
  title: string | undefined;
  author: string | undefined;
  keywords: string | undefined;
}
