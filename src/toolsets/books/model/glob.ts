import { refusal } from './refusal.ts';

/** More alternatives than this are not tried: {a,b}{a,b}… doubles with each pair. */
const braceExpandMax = 1000;

/** Whether a path inside a book matches. `*` stays in a segment, `**` crosses; also `?`, `[…]`, `{a,b}`; dot files count. */
export async function createGlob(pattern: string): Promise<(path: string) => boolean> {
  const tidy = pattern.replace(/^(?:\.\/)+/, '');
  if (tidy.startsWith('/') || tidy.split('/').includes('..') || tidy.includes('\0')) {
    throw refusal('InvalidPathError', `The pattern ${JSON.stringify(pattern)} leads out of the book.`, {
      path: pattern,
      suggestion: 'Patterns are matched against paths inside the book, such as content/**/*.md.',
    });
  }
  const { Minimatch } = await import('minimatch');
  const matcher = new Minimatch(tidy, {
    dot: true,
    nonegate: true,
    nocomment: true,
    noext: true,
    braceExpandMax,
    platform: 'linux',
  });
  return path => matcher.match(path);
}
