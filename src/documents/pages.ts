/** Form feeds separate the pages of an extracted text. Text after this character belongs to no page. */
export const endOfPagesMark = '\ue000';
