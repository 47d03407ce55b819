import { unknownFileType } from '../../../../src/documents/file-type.ts';
import {
  countSkipped,
  countUnparsedFile,
  createSkippedFileCounts,
} from '../../../../src/toolsets/files/access/skip.ts';
import type {
  SearchFilterName,
  SearchResultPage,
  SearchStageReport,
} from '../../../../src/toolsets/files/query/protocol.ts';
import { type Generator, pieces } from '../../../support/generator.ts';

const queryPieces = pieces(
  'tax¦lease¦agreement¦agreements¦invoice¦invoce¦Rechnung¦rechnungen¦Größe¦straße¦cat¦cats¦run¦running¦data¦base¦note¦book¦xy¦z¦2024¦007¦1,234¦12345¦report-2024¦e-mail',
  'the¦of¦last week¦photo¦pdf¦excel¦python¦3月14日¦2024-03-14¦14 March 2024¦3/4/2024¦mai¦合同¦租房合同¦的¦photos of my¦camelCase¦*.md¦rep*t¦"¦filename:x¦OR¦&&¦don\'t¦Anna’s¦ｆｕｌｌ¦プレゼン¦の¦ひらがな¦旅行计划¦Übung¦ﬁn',
);

export function query(random: Generator): string {
  const words = random.repeat(1, 6, () => random.pick(queryPieces), random.pick(pieces(' ¦ ¦  ¦、')));
  return random.below(8) === 0 ? `"${words.replaceAll('"', '')}"` : words;
}

const textPieces = pieces(
  'tax ¦lease¦ leases ¦agreement ¦invoices ¦invoice.¦Rechnungen ¦rechn¦Größe ¦Groesse ¦strasse ¦cat ¦scatter ¦running ¦runs ¦database ¦notebook ¦xy ¦z¦2024¦12024¦ 7 ¦007 ¦1234 ¦1.234 ¦12345',
  'report ¦e-mail ¦2024-03-14 ¦14.3.2024 ¦March 14, 2024 ¦20240314¦3月14日¦合同¦租房¦计划¦的¦\n¦, ¦don’t ¦fin ¦Übungen ¦full ¦フレセン¦x¦y',
);

function distance(random: Generator): string {
  const count = random.below(9) === 0 ? random.pick([23, 24, 25, 48, 99, 100, 101, 199, 599, 600, 601, 1300]) : 0;
  return random.pick(pieces('¦¦s¦-')) + '.'.repeat(count);
}

/** A text for a search by words. Some words are far from each other. */
export function searchedText(random: Generator): string {
  return random.repeat(1, 9, () => random.pick(textPieces) + distance(random));
}

export function queryAndText(random: Generator): { query: string; text: string; isName: boolean } {
  const words = query(random);
  const own = pieces(words.replaceAll('"', '').replaceAll(/[ 、]+/g, ' ¦'), words);
  const text = random.repeat(1, 6, () => random.pick(random.below(2) === 0 ? own : textPieces) + distance(random));
  return { query: words, text, isName: random.below(3) === 0 };
}

const datePieces = pieces(
  '2024¦1999¦2100¦-¦.¦/¦_¦ ¦  ¦03¦3¦14¦31¦32¦00¦13¦年¦月¦日¦March¦march¦märz¦de ¦of ¦del ¦st¦th¦,¦x¦Foo¦2024-03-14¦20240314¦14.03.2024¦3/14/2024¦14 March 2024¦March 14, 2024¦2024年3月14日',
);

export function textWithDates(random: Generator): string {
  return random.repeat(1, 9, () => random.pick(datePieces));
}

const isoPieces = pieces('2024-02-29¦2023-02-29¦2024-04-30¦2024-04-31¦2024-12-31¦2024-00-10¦1970-01-01');
const timePieces = pieces('¦¦T00:00¦T23:59:59¦T24:00¦t12:30:15.5¦T12:60¦T01:02:03,123456789');
const zonePieces = pieces('Z¦z¦+02:00¦-0230¦+23¦-23:59¦+24¦+00:60');

export function isoDate(random: Generator): string {
  const time = random.pick(timePieces);
  // A time without a zone is local, so that its result depends on the machine.
  return random.pick(isoPieces) + time + (time === '' ? '' : random.pick(zonePieces));
}

const excerptPieces = pieces('needle¦Nee\u00addle¦NÉEDLE¦ ¦\n¦\f¦\uf8ff¦word ¦é¦😀¦x¦two words ¦  \t ');

export function excerptInput(random: Generator): { text: string; phrase: string; isConverted: boolean } {
  const filler = (): string =>
    random.pick(pieces('a¦b ¦é¦😀¦\n')).repeat(random.pick([0, 0, 1, 30, 39, 40, 60, 77, 80, 81, 159, 160, 400]));
  const text = random.repeat(1, 5, () => random.pick(excerptPieces) + filler());
  return { text, phrase: random.pick(pieces('needle¦needle¦two words¦e¦x')), isConverted: random.below(2) === 0 };
}

const wordPieces = pieces('scan¦run¦car¦stud¦rechn¦kind¦box¦bus¦x¦plan¦egg');
const endings = pieces('¦s¦es¦ed¦ing¦y¦ies¦ung¦ungen¦heit¦heiten¦en¦er¦ern¦n¦ning¦ned¦e¦a¦os¦ly¦ment¦ments¦ion¦keiten');

export function twoWords(random: Generator): [string, string] {
  const word = (): string => random.pick(wordPieces) + random.pick(endings) + random.pick(pieces('¦¦¦s¦en'));
  return [word(), word()];
}

/** A word and a misspelling of it with a few edits. */
export function misspelling(random: Generator): [string, string] {
  const word = random.pick(pieces('invoice¦receipt¦abcde¦accommodation¦tomorrow¦plant¦abcdefgh'));
  const letters = word.split('');
  for (let edits = random.below(4); edits > 0; edits--) {
    const at = random.below(letters.length);
    const kind = random.below(4);
    if (kind === 0) letters.splice(at, 1);
    else if (kind === 1) letters.splice(at, 0, random.pick(pieces('e¦x¦c')));
    else if (kind === 2) letters[at] = random.pick(pieces('e¦x¦c'));
    else letters.splice(at, 2, ...letters.slice(at, at + 2).reverse());
  }
  return [word, letters.join('')];
}

const identifierPieces = pieces('camel¦Case¦XML¦File¦0¦07¦_¦-¦.¦ ¦é¦É¦日本¦ひら¦カタ¦ー¦ไทย¦한글¦ß¦ﬁ¦ǅ¦\u0301¦’¦x');

export function identifier(random: Generator): string {
  return random.repeat(1, 6, () => random.pick(identifierPieces));
}

/** A mount table, and a folder. */
export function mounts(random: Generator): { mountInfo: string; folder: string } {
  const folders = pieces('/¦/a¦/a/b¦/a\\040b¦/proc¦/a/b/c¦/ab');
  const types = pieces('ext4¦proc¦tmpfs¦cgroup2¦fusectl');
  const line = (): string => `1 2 0:3 / ${random.pick(folders)} rw - ${random.pick(types)} x rw`;
  return {
    mountInfo: random.repeat(0, 4, line, '\n'),
    folder: random.pick(pieces('/¦/a¦/a/b¦/a b¦/a b/c¦/a/b/c/d¦/abc¦/proc/1¦/dev')),
  };
}

const drives = pieces('C:\\¦c:/¦\\\\server\\share\\¦\\\\?\\C:\\¦//./x¦\\¦/¦C:¦¦/a/../');
const names = pieces('a¦b.txt¦..¦.¦con¦COM1.x¦aux ¦nul\u00b9¦lpt\u00b2.t¦x:y¦end.¦end ¦K¦\u212a¦\0¦É');

export function absolutePath(random: Generator): string {
  return random.pick(drives) + random.repeat(0, 3, () => random.pick(names), random.pick(pieces('\\¦/')));
}

const words = pieces('lease¦tax 2024¦a "b"¦合同');

function wordList(random: Generator, most = 3): string[] {
  return Array.from({ length: random.below(most) }, () => random.pick(words));
}

/** A result of a search with any combination of its facts. */
export function resultPage(random: Generator): SearchResultPage {
  const is = (): boolean => random.below(3) === 0;
  const some = <Value>(value: Value): Value | undefined => (is() ? value : undefined);
  const paths = ['/home/a.txt', '/home/\u202ea.pdf', '/home/b\nc.md'];
  const skipped = createSkippedFileCounts();
  if (is()) Object.assign(skipped, { hidden: random.below(2), links: random.below(3), unread: random.below(2) * 1500 });
  if (is()) Object.assign(skipped, { unvisited: 2, online: random.below(3), tooLarge: 1, unreadable: random.below(2) });
  if (is())
    ['x.txt', 'shut/', 'y', 'b'].slice(random.below(4)).forEach(name => countSkipped(skipped, 'unreadable', name));
  if (is())
    ['a.zip', 'b.7z', 'c.tar', 'd.gz'].slice(random.below(4)).forEach(name => countSkipped(skipped, 'archives', name));
  if (is())
    ['a.doc', 'b.pages', 'c.doc', 'd.x', 'e'].slice(random.below(5)).forEach(name => countUnparsedFile(skipped, name));
  const explanation: SearchStageReport = {
    stage: random.pick(['phrase', 'words', 'similar', 'nothing']),
    isPartial: is(),
    isQuoted: is(),
    where: random.pick(['any', 'content', 'name']),
    hitCount: random.below(3),
    isByName: is(),
    hasMore: is(),
    words: wordList(random),
    optional: wordList(random),
    ignored:
      random.below(9) === 0
        ? Array.from({ length: 15 + random.below(4) }, (_, index) => `w${index}`)
        : wordList(random),
    closest: is() ? [{ path: '/home/a.txt', words: ['lease'] }] : [],
    missing: wordList(random),
    corrections: is() ? [['leese', ['lease', 'lees']]] : [],
    operators: is() ? ['OR'] : [],
    kinds: is() ? ['pdf', 'image'] : [],
    asksForTime: is(),
    named: is() ? ['/home/b.txt'] : [],
    excluded: some({
      filters: random.pick<SearchFilterName[]>([['since', 'until'], ['kind'], ['scope'], ['until', 'scope']]),
      hitCount: random.below(3),
      hasMore: is(),
    }),
    isListRequest: is(),
  };
  return {
    files: paths.slice(random.below(4)).map((path, index) => ({
      path,
      type: unknownFileType,
      mtimeMs: 1_700_000_000_123,
      size: index * 1000,
      ...(is() && { excerpt: { line: 3, text: 'a \u202eb' } }),
      ...(is() && { matched: random.pick(['name', 'words']) }),
    })),
    isTruncated: is(),
    hitCount: random.below(5),
    isTimedOut: is(),
    hasNoWorkers: is(),
    engine: random.pick(['scan', 'index', 'mdfind']),
    skipped,
    isFromBefore: is(),
    isBeyondMemory: is(),
    proposesCache: is(),
    indexed: some({ fileCount: random.pick([0, 1, 2000]), percent: random.pick([0, 50, 99, 100]) }),
    explanation: random.below(4) === 0 ? undefined : explanation,
  };
}
