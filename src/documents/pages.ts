/** Form feeds separate the pages of a document's text. Text after this character is on no page. */
export const endOfPages = '\ue000';
