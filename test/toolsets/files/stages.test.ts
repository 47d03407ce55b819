import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFolder, type OpenFiles, openFiles, rowsOf, write } from './open-files.ts';

async function openHome(content: Record<string, string>): Promise<OpenFiles & { root: string }> {
  const root = createFolder(content);
  return { ...(await openFiles({ 'files-root': [root] })), root };
}

/** Searches and returns the file names of the results with their match reasons, and the notes. */
async function ask(home: OpenFiles & { root: string }, args: Record<string, unknown>) {
  const outcome = await home.call('search', { scope: home.root, ...args });
  const rows = rowsOf(outcome).map(row => [path.relative(home.root, String(row['_path'])), row['matched']]);
  return { rows, notes: outcome.structured?.['notes'] };
}

/** Returns a date for each number; a higher number is a later date. */
const dateOf = (day: number): string => new Date(Date.UTC(2024, 0, 1 + day)).toISOString();

const byCode = (left: string, right: string): number => Number(left > right) - Number(left < right);

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

  test('finds inflections of the words, and words with a spelling mistake', async () => {
    const home = await openHome({
      'a.txt': 'one invoice of the plumber',
      'vaccination record.txt': 'x',
      'Omas Kuchen.txt': 'x',
    });
    expect((await ask(home, { query: 'plumbers invoices' })).rows).toEqual([['a.txt', 'inflection']]);
    expect((await ask(home, { query: 'Oma Kuchen' })).rows).toEqual([['Omas Kuchen.txt', 'inflection']]);
    const { rows, notes } = await ask(home, { query: 'vacination record' });
    expect(rows).toEqual([['vaccination record.txt', 'spelling']]);
    expect(notes).toContain('Read "vacination" as "vaccination".');
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

  test('finds parts of a query in a language without spaces between words', async () => {
    const home = await openHome({ '三月发票.txt': '金额', '旅行计划_云南.txt': '昆明' });
    expect((await ask(home, { query: '三月份的发票' })).rows).toEqual([['三月发票.txt', 'name']]);
    expect((await ask(home, { query: '云南旅行计划' })).rows).toEqual([['旅行计划_云南.txt', 'some words']]);
  });

  test('counts a word such as "photo" as found if the kind of the file fits, but finds no file by such words alone', async () => {
    const home = await openHome({ 'katze_mimi.jpg': '\0', 'dog.jpg': '\0', 'mimi.txt': 'x' });
    expect((await ask(home, { query: 'photo of my cat Mimi' })).rows).toEqual([['katze_mimi.jpg', 'some words']]);
    expect((await ask(home, { query: 'python script for sentiment analysis' })).rows).toEqual([]);
    write(home.root, 'c.txt', 'an email with a photo of mimi', dateOf(0));
    expect((await ask(home, { query: 'email about purple mimi' })).rows).toEqual([]);
  });

  test('finds words with umlauts in their ASCII spelling, and words with the letter ß for ss', async () => {
    const home = await openHome({
      'Strassenbahn_Muenchen.jpg': '\0',
      'Straßenbahn.txt': 'Straßenbahn in München',
      'Preussen.txt': 'der Weißwein',
    });
    expect((await ask(home, { query: 'München Straßenbahn' })).rows).toEqual([
      ['Strassenbahn_Muenchen.jpg', 'name'],
      ['Straßenbahn.txt', 'words'],
    ]);
    expect((await ask(home, { query: 'Weisswein Preussen' })).rows).toEqual([['Preussen.txt', 'words']]);
  });

  test('finds an amount in any notation of thousands', async () => {
    const home = await openHome({
      'a.txt': 'Invoice: EUR 1,234.56',
      'b.txt': 'Invoice: 1.234,56 EUR',
      'c.txt': 'Invoice: 1234.56 EUR',
      'd.txt': 'Invoice: EUR 1 234,56',
      'e.txt': 'Invoice: 234.56 EUR for 1 item',
    });
    for (const amount of ['1234.56', '$1,234.56', '1.234,56', "1'234.56"]) {
      const { rows } = await ask(home, { query: `${amount} invoice` });
      expect(new Set(rows.map(([file]) => file))).toEqual(new Set(['a.txt', 'b.txt', 'c.txt', 'd.txt']));
    }
  });

  test('finds a month in the date of a folder name', async () => {
    const home = await openHome({ '2025-08 Porto/IMG_1.jpg': '\0', '2025-07 Porto/IMG_2.jpg': '\0' });
    expect((await ask(home, { query: 'Porto August 2025' })).rows).toEqual([['2025-08 Porto/IMG_1.jpg', 'name']]);
  });

  test('finds identifiers in camel case and plurals of abbreviations as a whole, also if their parts are short', async () => {
    const home = await openHome({ 'a.lsl': 'TRUE; llMoveToTarget(x)', 'b.txt': 'without these APIs' });
    expect((await ask(home, { query: 'llMoveToTarget TRUE' })).rows).toEqual([['a.lsl', 'words']]);
    expect((await ask(home, { query: 'APIs without' })).rows).toEqual([['b.txt', 'words']]);
  });

  test('finds compounds that the query or the file writes as two words', async () => {
    const home = await openHome({
      'a.txt': 'Allergietest vom Mai',
      'b.txt': 'Steuer und Erstattung',
      'c.txt': 'Geburtstag, ein Geschenk',
      'd.txt': 'Steuerung',
      'e.txt': 'Impfungen: Tetanus',
    });
    expect((await ask(home, { query: 'Allergie Test' })).rows).toEqual([['a.txt', 'words']]);
    expect((await ask(home, { query: 'Steuererstattung' })).rows).toEqual([['b.txt', 'inflection']]);
    expect((await ask(home, { query: 'Geburtstagsgeschenk' })).rows).toEqual([['c.txt', 'inflection']]);
    expect((await ask(home, { query: 'Tetanusimpfung' })).rows).toEqual([['e.txt', 'inflection']]);
  });

  test('finds the words of a Japanese question although the Hiragana between them is not in the file', async () => {
    const home = await openHome({
      '図録翻訳.txt': '田中美咲',
      '旅行.txt': '奈良の公園、鹿にせんべい',
      '花.txt': '桜の日',
    });
    expect((await ask(home, { query: '田中さんからの図録翻訳の依頼' })).rows).toEqual([['図録翻訳.txt', 'some words']]);
    expect((await ask(home, { query: '奈良で鹿を見るのはいつですか' })).rows).toEqual([['旅行.txt', 'some words']]);
  });

  test('separates Latin letters from Chinese words, so that PDF文件 ("PDF file") is read as the kind of the file', async () => {
    const home = await openHome({ '报销.txt': '员工差旅报销制度' });
    expect((await ask(home, { query: '差旅制度的PDF文件' })).rows).toEqual([['报销.txt', 'some words']]);
  });

  test.each(['22.04.2024', '2024-04-22', 'April 22, 2024', '22. April 2024'])(
    'finds the date %j in any form, before its numbers, and names no part of it as missing',
    async date => {
      const home = await openHome({});
      write(home.root, 'bill.txt', 'Invoice\nDate: 22 April 2024', dateOf(0));
      write(home.root, 'Rechnung_2024-04-22.png', '\0', dateOf(1));
      write(home.root, 'log.txt', 'Rechnung; 2024-11-01 04:22, 22 times, 4 errors', dateOf(9));
      expect((await ask(home, { query: `Datum ${date}.` })).notes).not.toContainEqual(expect.stringContaining('"4"'));
      expect((await ask(home, { query: `Rechnung vom ${date}` })).rows).toEqual([['Rechnung_2024-04-22.png', 'name']]);
      const { rows } = await ask(home, { query: `${date}?` });
      expect(rows).toEqual([
        ['Rechnung_2024-04-22.png', 'name'],
        ['bill.txt', 'words'],
      ]);
    },
  );

  test('finds the numbers of a date if no file contains the date', async () => {
    const home = await openHome({ 'log.txt': 'Rechnung: day 22, month 4; year 2024' });
    const { rows, notes } = await ask(home, { query: 'Rechnung vom 22.04.2024' });
    expect(rows).toEqual([['log.txt', 'some words']]);
    expect(notes).toContain('Missing in the first result: "22.04.2024".');
  });

  test('finds an event of a calendar by the date in the query', async () => {
    const event = 'BEGIN:VEVENT\nDTSTART;VALUE=DATE:20241012\nSUMMARY:運動会\nEND:VEVENT\n';
    const home = await openHome({ 'school.ics': event, 'other.ics': event.replace('1012', '0913') });
    expect((await ask(home, { query: '2024-10-12' })).rows).toEqual([['school.ics', undefined]]);
    expect((await ask(home, { query: '2024年10月12日の運動会' })).rows[0]).toEqual(['school.ics', 'words']);
  });

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
    const { rows, notes } = await ask(home, { query: 'omega alpha', ...args, scope: path.join(home.root, scope) });
    expect(rows).toEqual([]);
    const found = Array.isArray(notes) ? notes.filter(note => String(note).startsWith('Without')) : [];
    expect(found.join('\n')).toMatch(expected);
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
