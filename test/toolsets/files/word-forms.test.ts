import { describe, expect, test } from 'vitest';
import { write } from './open-files.ts';
import { ask, dateOf, openHome } from './search-home.ts';

describe('a search for a phrase that is in no file', () => {
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

  test('finds words with umlauts from their ASCII spelling as a spelling variant, if no file has that spelling', async () => {
    const home = await openHome({ 'a.txt': 'Grüße aus Köln', 'b.txt': 'Tränen der Größe' });
    for (const [query, file, note] of [
      ['Gruesse', 'a.txt', 'Read "gruesse" as "grusse" or "gruße".'],
      ['Koeln', 'a.txt', 'Read "koeln" as "koln".'],
      ['Traenen der Groesse', 'b.txt', 'Read "traenen" as "tranen", "groesse" as "grosse" or "große".'],
    ]) {
      const { rows, notes } = await ask(home, { query });
      expect([rows, notes]).toEqual([[[file, 'spelling']], expect.arrayContaining([note])]);
    }
    const other = await openHome({ 'a.txt': 'Köln', 'Koeln.txt': 'x', 'poets.txt': 'x', 'pots.txt': 'x' });
    expect((await ask(other, { query: 'Koeln' })).rows).toEqual([['Koeln.txt', 'name']]);
    expect((await ask(other, { query: 'poets' })).rows).toEqual([['poets.txt', 'name']]);
    const known = await openHome({ 'a.txt': 'poets', 'b.txt': 'pots and trees' });
    expect((await ask(known, { query: 'poets trees meadows' })).rows).toEqual([]);
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
});
