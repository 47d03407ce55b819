import { describe, expect, test } from 'vitest';
import { write } from './open-files.ts';
import { ask, dateOf, openHome } from './search-home.ts';

describe('a search for a phrase that is in no file', () => {
  test('states which searches were tried when nothing is found', async () => {
    const home = await openHome({ 'a.txt': 'something else' });
    const { rows, notes } = await ask(home, { query: 'purple elephants' });
    expect(rows).toEqual([]);
    expect(notes).toEqual([
      expect.stringMatching(/^Nothing found\. Tried in contents.*"purple", "elephants".*Try .* language of the files/),
    ]);
  });

  test('names the closest files, with the words in their contents or names, if nothing is found', async () => {
    const home = await openHome({ 'katze_mimi.jpg': '\0', 'a.txt': 'an education' });
    write(home.root, 'b.txt', 'Mimi and the kittens', dateOf(0));
    expect(await ask(home, { query: 'cat Mimi' })).toEqual({
      rows: [],
      notes: [
        expect.stringContaining('Nothing found.'),
        expect.stringMatching(
          /^Closest files, with only a few of the words: \S+katze_mimi\.jpg \("mimi"\), \S+b\.txt \("mimi"\)\.$/,
        ),
      ],
    });
  });

  test('finds the words next to a misspelled word, also short ones, and names the words that were searched in its place', async () => {
    const home = await openHome({ 'sourdough_rye.md': 'flour', 'a.txt': 'lentil soup', 'b.txt': 'lento' });
    expect((await ask(home, { query: 'sourdoh rye' })).rows).toEqual([['sourdough_rye.md', 'spelling']]);
    expect((await ask(home, { query: 'sourdoh' })).rows).toEqual([['sourdough_rye.md', 'spelling']]);
    expect((await ask(home, { query: 'lentl' })).notes).toContain('Read "lentl" as "lentil" or "lento".');
  });

  test('names the closest file for a word of three letters although the trigram signatures of many other files match', async () => {
    const home = await openHome({ 'bread.txt': 'with rye' });
    const letter = (number: number): string => String.fromCharCode(97 + (number % 26));
    const words = Array.from({ length: 9000 }, (_, at) => letter(at) + letter(at / 26) + letter(at / 676));
    const others = words.filter(word => word !== 'rye');
    for (let file = 0; file < 150; file++)
      write(home.root, `${file}.txt`, others.slice(file * 50, file * 50 + 600).join(' '), dateOf(1));
    const { rows, notes } = await ask(home, { query: 'xyzzyq rye' });
    expect(rows).toEqual([]);
    expect(notes).toContainEqual(expect.stringMatching(/^Closest files, .*bread\.txt \("rye"\)\.$/));
  });

  test('names a file with the word in its name as the closest file if the word is in the contents of too many files', async () => {
    const home = await openHome({ 'rye_bread.txt': 'x' });
    for (let file = 0; file < 250; file++) write(home.root, `${file}.txt`, 'rye', dateOf(1));
    const { rows, notes } = await ask(home, { query: 'xyzzyq rye' });
    expect(rows).toEqual([]);
    expect(notes).toContainEqual(expect.stringMatching(/^Closest files, .*rye_bread\.txt \("rye"\)\.$/));
    expect((await ask(home, { query: 'xyzzyq rye', match: 'content' })).notes).toHaveLength(1);
  });
});
