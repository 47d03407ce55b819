/**
 * This character ends the last page of an extracted text. Form feeds separate the pages, and the text after this
 * character belongs to no page.
 */
export const endOfPagesCharacter = '\ue000';
