import { openSession as openSessionOf, type Session } from './session.ts';

/** The source folder of a small mdBook. */
export const book = {
  'src/SUMMARY.md': '# Summary\n\n- [Basics](basics.md)\n  - [One](basics/one.md)\n  - [Two](basics/two.md)\n',
  'src/basics.md': '# Basics\n\nStart with [one](basics/one.html).\n',
  'src/basics/one.md': '# One\n\nNext: [two](two.md#top) ![picture](../img/p.png)\n',
  'src/basics/two.md': '# Two\n',
  'src/img/p.png': 'not really a picture',
};
export const onePath = 'content/01-My-Book/01-Basics/01-One.md';

export function openSession(files: Readonly<Record<string, string>> = book): Session {
  return openSessionOf({ ...files, 'book.toml': 'title = "My Book"\n' });
}
