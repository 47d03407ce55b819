/** This character ends the pages of an extracted text, which form feeds separate. Text after it belongs to no page. */
export const endOfPagesMark = '\ue000';
