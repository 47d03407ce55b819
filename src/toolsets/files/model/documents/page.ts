/** What stands between the pages of a document in its text is a form feed; behind this sign there is text that is on none. */
export const endOfPages = '\ue000';
