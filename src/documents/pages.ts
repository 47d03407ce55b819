/**
 * This character ends the last page of an extracted text, in which form feeds separate the pages. Text after it belongs
 * to no page.
 */
export const endOfPagesMark = '\ue000';
