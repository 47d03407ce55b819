import { refusal } from './refusal.ts';

/** {a,b}{a,b}… doubles with each pair. */
const maxAlternatives = 1000;

/** Whether a path inside a book matches. `*` stays in a segment, `**` crosses; also `?`, `[…]`, `{a,b}`; dot files count. */
export async function createGlob(pattern: string): Promise<(path: string) => boolean> {
  const tidy = pattern.replace(/^(?:\.\/)+/, '');
  if (tidy.startsWith('/') || tidy.split('/').includes('..') || tidy.includes('\0')) {
    throw refusal('InvalidPathError', `The pattern ${JSON.stringify(pattern)} leads out of the book.`, {
      path: pattern,
      suggestion: 'Patterns are matched against paths inside the book, such as content/**/*.md.',
    });
  }
  const { braceExpand, Minimatch } = await import('packed:minimatch');
  const braceExpandMax = maxAlternatives + 1;
  if (braceExpand(tidy, { braceExpandMax }).length > maxAlternatives) {
    throw refusal('ValidationError', `The braces of the pattern stand for more than ${maxAlternatives} alternatives.`, {
      suggestion: 'Use fewer braces: * and [0-9] match without writing every case out.',
    });
  }
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
