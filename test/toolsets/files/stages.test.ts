import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { rowsOf, write } from './open-files.ts';
import { ask, byCode, dateOf, openHome } from './search-home.ts';

describe('a search for a phrase that is in no file', () => {
  test('returns the files that contain all words, and states this as the match reason', async () => {
    const home = await openHome({
      'a.txt': 'The agreement on the house was signed before the lease began.',
      'b.txt': 'A lease without the other word.',
    });
    expect(await ask(home, { query: 'lease agreement' })).toEqual({
      rows: [['a.txt', 'words']],
      notes: [
        'No file contains the phrase; 1 file has all its words in contents, file names or folder names: "lease", "agreement".',
      ],
    });
  });

  test('also finds files by words in the names of files and folders', async () => {
    const home = await openHome({
      'lease_agreement_2025.txt': 'nothing of it',
      'rent/agreementFinal.txt': 'lease',
      'week04/plan.txt': 'x',
    });
    expect((await ask(home, { query: 'lease agreement' })).rows).toEqual([
      ['lease_agreement_2025.txt', 'name'],
      ['rent/agreementFinal.txt', 'words'],
    ]);
    expect((await ask(home, { query: 'plan week 4' })).rows).toEqual([['week04/plan.txt', 'name']]);
  });

  test('ranks files with the words in their names first, then files with the words close together, then newer files', async () => {
    const home = await openHome({});
    write(home.root, 'alpha-omega.md', 'x', '2020-01-01T00:00:00Z');
    write(home.root, 'close.txt', 'omega, alpha', '2021-01-01T00:00:00Z');
    write(home.root, 'far.txt', `omega ${'x '.repeat(2000)} alpha`, '2023-01-01T00:00:00Z');
    write(home.root, 'older.txt', 'omega; alpha', '2019-01-01T00:00:00Z');
    const { rows } = await ask(home, { query: 'alpha omega' });
    expect(rows.map(([name]) => name)).toEqual(['alpha-omega.md', 'close.txt', 'older.txt', 'far.txt']);
    const pages = await Promise.all(
      [0, 1, 2, 3].map(async offset => (await ask(home, { query: 'alpha omega', limit: 1, offset })).rows),
    );
    expect(pages.flat()).toEqual(rows);
  });

  test('returns files with all words: the first page reports a minimum number of results, and later pages read further files', async () => {
    const home = await openHome({});
    for (let file = 0; file < 300; file++)
      write(
        home.root,
        `${file}.txt`,
        file % 3 === 0 ? `omega ${'x '.repeat(400)} alpha` : 'omega, alpha',
        dateOf(file),
      );
    const first = await ask(home, { query: 'alpha omega', limit: 2 });
    expect(first.rows.map(([name]) => name)).toEqual(['299.txt', '298.txt']);
    expect(first.notes).toContainEqual(expect.stringMatching(/^No file contains the phrase; at least \d+ files have/));
    const pages = [];
    for (const offset of [0, 100, 200]) pages.push(await ask(home, { query: 'alpha omega', limit: 100, offset }));
    const whole = await ask(home, { query: 'alpha omega', limit: 1000 });
    expect(whole.rows).toHaveLength(300);
    expect(whole.notes).toContainEqual(expect.stringMatching(/; 300 files have all its words/));
    expect(pages.flatMap(({ rows }) => rows)).toEqual(whole.rows);
  });

  test('treats words such as "photos" or "yesterday" as optional, and suggests the arguments kind, since and until', async () => {
    const home = await openHome({ 'passport scan.jpeg': '\0', 'passport.txt': 'old' });
    expect(await ask(home, { query: 'passport photos last year' })).toEqual({
      rows: [
        ['passport scan.jpeg', 'name'],
        ['passport.txt', 'name'],
      ],
      notes: [
        'No file contains the phrase; 2 files have all its words in file or folder names: "passport".',
        'Not required: "photos", "last", "year".',
        'To ask for a kind or a time exactly, use kind (image) and since and until (ISO 8601 dates).',
      ],
    });
  });

  test.each([
    ['documents from last week', ', kind (document), since and until (ISO 8601 dates).'],
    ['pdfs from March', ', kind (pdf), since and until (ISO 8601 dates).'],
    ['photos 2024', ', kind (image), since and until (ISO 8601 dates).'],
    ['PDFs', ', kind (pdf).'],
    ['last month', ', since and until (ISO 8601 dates).'],
  ])('names the arguments that list files if the query %j only means a kind or a time', async (query, args) => {
    const home = await openHome({ 'passport.txt': 'old' });
    const { notes } = await ask(home, { query });
    expect(notes).toContain(
      `The words only ask for a kind or a time. To list such files, use query "*", match "name"${args}`,
    );
  });

  test.each(['March', '2024', 'report March 2024', 'passport photos'])(
    'takes the query %j for words, because it has more than a kind or a time',
    async query => {
      const home = await openHome({ 'passport.txt': 'old' });
      expect(JSON.stringify((await ask(home, { query })).notes)).not.toContain('To list such files');
    },
  );

  test.each([
    ['mail', 'b.eml'],
    ['photo', 'c.jpg'],
    ['spreadsheet', 'd.csv'],
    ['Python', 'e.py'],
  ])('ranks files of the kind that the word %j in the query means first', async (word, first) => {
    const home = await openHome({});
    write(home.root, 'Giesecke mail photo spreadsheet.txt', 'Python', dateOf(9));
    write(home.root, 'a.txt', 'Giesecke, a mail, a photo, a spreadsheet, Python', dateOf(8));
    for (const name of ['b.eml', 'd.csv', 'e.py']) write(home.root, name, 'Subject: x\n\nGiesecke', dateOf(1));
    write(home.root, 'Giesecke/c.jpg', '\0', dateOf(1));
    const { rows } = await ask(home, { query: `Giesecke ${word}` });
    expect(rows).toHaveLength(6);
    expect(path.basename(String(rows[0]?.[0]))).toBe(first);
  });

  test('lists in every result without the phrase the words that were not searched and the words that were not required', async () => {
    const home = await openHome({ 'lentil_dal.txt': 'x', 'mail.txt': 'giesecke wrote' });
    const notes = async (query: string) => (await ask(home, { query })).notes;
    expect(await notes('dal lentil')).toContain('Ignored, mostly as very common words: "dal".');
    expect(await notes('lentl dal')).toContain('Ignored, mostly as very common words: "dal".');
    expect(await notes('the purple dal')).toContain('Ignored, mostly as very common words: "the", "dal".');
    expect(await notes('Giesecke spreadsheet')).toEqual([
      expect.stringMatching(/1 file has all its words in .*: "giesecke"\.$/),
      'Not required: "spreadsheet".',
    ]);
    const words = Array.from(
      { length: 40 },
      (_, index) => `word${'abcdefghij'[index % 10]}${'klmn'[Math.floor(index / 10)]}`,
    );
    expect(await notes(words.join(' '))).toContainEqual(expect.stringMatching(/^Ignored, .*"wordbn" and 8 more\.$/));
  });

  test('states whether the words are only in names, or a single word is found only in another form', async () => {
    const home = await openHome({ 'rechnungen.png': '\0', 'a.txt': 'one invoice' });
    expect((await ask(home, { query: 'rechnungen' })).notes).toEqual([
      'No file contains the phrase; 1 file has all its words in file or folder names: "rechnungen".',
    ]);
    expect((await ask(home, { query: 'png rechnungen', match: 'name' })).notes).toContain(
      'No file name contains the phrase; 1 file has all its words in file names: "rechnungen".',
    );
    expect((await ask(home, { query: 'invoices' })).notes).toEqual([
      'No file contains "invoices"; 1 file matches it in another form or spelling, or in part.',
    ]);
  });

  test('finds files with most of the words, and names the words that they do not contain', async () => {
    const home = await openHome({ 'a.txt': 'churn was high in enterprise', 'b.txt': 'churn' });
    const { rows, notes } = await ask(home, { query: 'churn enterprise dashboard' });
    expect(rows).toEqual([['a.txt', 'some words']]);
    expect(notes).toContain('Missing in the first result: "dashboard".');
  });

  test('finds nothing if the phrase is in quotation marks', async () => {
    const home = await openHome({ 'a.txt': 'agreement of lease', 'b.txt': 'an exact phrase' });
    const { rows, notes } = await ask(home, { query: '"lease agreement"' });
    expect(rows).toEqual([]);
    expect(notes).toEqual([expect.stringContaining('No file contains this exact phrase')]);
    expect((await ask(home, { query: '"exact phrase"' })).rows).toEqual([['b.txt', undefined]]);
  });

  test('treats search operators as text and states this in a note', async () => {
    const home = await openHome({ 'budget.txt': 'x' });
    const { rows, notes } = await ask(home, { query: 'filename:budget' });
    expect(rows).toEqual([['budget.txt', 'name']]);
    expect(notes).toContain('There are no operators: filename: was read as plain text.');
  });

  test('applies the arguments kind, since and until', async () => {
    const home = await openHome({});
    write(home.root, 'alpha omega.txt', 'x', '2024-01-01T00:00:00Z');
    write(home.root, 'alpha_omega.md', 'x', '2026-01-01T00:00:00Z');
    write(home.root, 'alpha.omega.py', 'x', '2026-01-01T00:00:00Z');
    const rows = async (args: object) =>
      (await ask(home, { query: 'omega alpha', ...args })).rows.map(([name]) => String(name)).toSorted(byCode);
    expect(await rows({ kind: 'code' })).toEqual(['alpha.omega.py']);
    expect(await rows({ since: '2025-01-01' })).toEqual(['alpha.omega.py', 'alpha_omega.md']);
    expect(await rows({ until: '2025-01-01' })).toEqual(['alpha omega.txt']);
  });

  test.each([
    [
      { until: '2001-01-01' },
      /^Without until, 2 files match\. since and until compare the date of modification: .* query\.$/,
    ],
    [{ since: '2030-01-01', until: '2031-01-01' }, /^Without since and until, 2 files match\. since and until compare/],
    [{ kind: 'video' }, /^Without kind, 2 files match\.$/],
    [{ match: 'name' }, /^Without match, 2 files match\.$/],
    [{ scope: 'sub' }, /^Without scope, 2 files match\. Use the root folder as the scope\.$/],
    [{ kind: 'video', until: '2001-01-01' }, /^Without until and kind, 2 files match\. since/],
    [{ kind: 'document', until: '2001-01-01' }, /^Without until, 2 files match\. since/],
    [{ query: 'zebra', kind: 'video' }, /^$/],
    [{ query: '"omega, alpha"', kind: 'video' }, /^Without kind, 1 file matches\.$/],
    [{ query: '*.txt', match: 'name', since: '2030-01-01' }, /^Without since, 3 files match\./],
  ])('states how many files match without the arguments that exclude all: %j', async (given, expected) => {
    const home = await openHome({});
    write(home.root, 'a.txt', 'omega, alpha', dateOf(0));
    write(home.root, 'b.txt', 'alpha and omega', dateOf(0));
    write(home.root, 'sub/c.txt', 'x', dateOf(0));
    const { scope = '', ...args }: Record<string, string> = given;
    const notesWithout = async (): Promise<string> => {
      const { rows, notes } = await ask(home, { query: 'omega alpha', ...args, scope: path.join(home.root, scope) });
      expect(rows).toEqual([]);
      return Array.isArray(notes) ? notes.filter(note => String(note).startsWith('Without')).join('\n') : '';
    };
    // The searches without these arguments have a time limit. On a busy machine only the next call completes them.
    await expect.poll(notesWithout).toMatch(expected);
  });

  test('searches only contents or only names if the argument "match" requests it', async () => {
    const home = await openHome({ 'alpha omega.txt': 'x', 'other.txt': 'omega and alpha' });
    expect((await ask(home, { query: 'omega alpha', match: 'content' })).rows).toEqual([['other.txt', 'words']]);
    expect((await ask(home, { query: 'omega alpha', match: 'name' })).rows).toEqual([['alpha omega.txt', 'name']]);
  });

  test('returns excerpts around the words', async () => {
    const home = await openHome({ 'a.txt': 'first line\nthe omega comes, then alpha' });
    const outcome = await home.call('search', { scope: home.root, query: 'alpha omega', excerpts: true });
    expect(rowsOf(outcome)[0]?.['excerpt']).toMatchObject({ line: 2 });
  });
});

test('a search that finds its phrase returns only files with the phrase, without a match reason', async () => {
  const home = await openHome({
    'a.txt': 'the lease agreement',
    'b.txt': 'agreement, lease',
    'lease-agreement.png': '\0',
    'agreement_lease.jpg': '\0',
  });
  const { rows, notes } = await ask(home, { query: 'lease agreement' });
  expect(rows).toEqual([['a.txt', undefined]]);
  expect(notes).toEqual([
    expect.stringMatching(/^Not in this list, but named so: .*lease-agreement\.png|agreement_lease\.jpg/),
  ]);
});
