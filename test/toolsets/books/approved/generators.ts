import type { JournalRecord } from '../../../../src/toolsets/books/model/journal.ts';
import { type FileLocation, reservedUserNameForBook } from '../../../../src/toolsets/books/model/key.ts';
import type { ValidationFinding } from '../../../../src/toolsets/books/model/validation.ts';
import { type Generator, type Pieces, pieces } from '../../../support/generator.ts';

const segments = pieces(
  'content¦content¦content¦01-Part¦02-chapter-2¦01-a.md¦03-b.summary.md¦README.md¦readme.mdx¦Intro.MD¦1. x.md¦7 Größe.markdown¦.keep¦.gitkeep¦con.md',
  'static¦img¦images¦slides¦a.png¦users¦ada¦__base__¦books¦graphs¦..¦.¦¦~¦C:¦a b¦é¦a:b¦end.¦.git¦import.json¦x\\y¦\u202e¦\n¦aux¦99-z¦100-w.md¦日本.md',
);

export function bookPath(random: Generator): string {
  const start = random.pick(
    pieces('¦¦content/01-Part/01-Chapter/¦content/01-Part/¦content/¦static/img/¦users/ada/¦books/graphs/'),
  );
  return (
    start + random.repeat(1, 3, () => random.pick(segments), '/') + (random.below(60) === 0 ? 'x'.repeat(240) : '')
  );
}

export function bookPaths(random: Generator): string[] {
  return Array.from({ length: 1 + random.below(8) }, () => bookPath(random));
}

const assetNames = pieces(
  'my picture.png¦a--b.PNG¦-x-¦.hidden¦con¦con.png¦über.gif¦a/b.svg¦¦..¦x.tar.gz¦no-extension¦a.b.¦a_b.JPEG¦lpt1.txt¦books/graphs/static/img/c.png¦static/images/d.png¦static/img/¦books/graphs/static/videos/e.mp4',
);

export function assetName(random: Generator): string {
  return random.pick(assetNames);
}

const base64Pieces = pieces('QUJD¦QQ==¦QUI=¦QQ¦=¦\n¦\r\n¦QR==¦+/8=¦-_¦ ');

export function base64(random: Generator): string {
  return random.repeat(0, 3, () => random.pick(base64Pieces));
}

const linePieces = pieces('a¦b c¦\n¦\r\n¦\r¦\n\n¦\r\r¦é¦');

export function textOfLines(random: Generator): string {
  return random.repeat(0, 8, () => random.pick(linePieces));
}

/** A line, and the offset of a match in it. */
export function longLine(random: Generator): [string, number] {
  const filler = random.pick(pieces('x¦😀¦ab ¦é'));
  const count = random.pick([1, 99, 199, 200, 201, 499, 500, 501, 799, 999, 1000, 1001, 1500]);
  const line = random.pick(pieces('¦ ¦   ¦y')) + filler.repeat(count) + random.pick(pieces('¦  ¦z¦😀'));
  return [line, random.pick([0, 1, 150, 200, 201, 202, 500, 801, 1000, 1499]) % line.length];
}

const patternPieces = pieces(
  'a¦b|c¦(?i)¦.*¦[a-c]¦[^a]¦\\n¦\\r?¦[\\n]¦\\Z¦\\Q.\\E¦(?=a)¦\\1¦(?P=n)¦$¦^¦(¦)¦\n¦\\x0a¦é¦\\bword\\b¦{2}¦ ',
);

export function linePattern(random: Generator): string {
  return random.repeat(1, 4, () => random.pick(patternPieces));
}

function versionOf(random: Generator, lines: readonly string[], changed: Pieces): string {
  return lines
    .flatMap(line => {
      const kind = random.below(7);
      return kind === 0 ? [] : kind === 1 ? [random.pick(changed)] : kind === 2 ? [line, random.pick(changed)] : [line];
    })
    .join('');
}

export function threeTexts(random: Generator): [mine: string, base: string, theirs: string] {
  const lines = Array.from({ length: random.below(6) }, () => random.pick(pieces('a\n¦b\n¦c\n¦d\r\n¦e')));
  const changed = pieces('m\n¦t\n¦a\n¦u');
  return [versionOf(random, lines, changed), lines.join(''), versionOf(random, lines, changed)];
}

const hash = (random: Generator): string => random.pick(pieces('1¦2¦3')).repeat(64);

export interface GeneratedVersion {
  place: FileLocation;
  hash: string | null;
  changedMs: number;
}

export function fileVersions(random: Generator): GeneratedVersion[] {
  return Array.from({ length: random.below(8) }, () => ({
    place: {
      book: 'graphs',
      path: random.pick(pieces('content/a b.md¦content/b.md¦static/img/c.png¦content/😀.md¦content/\uffee.md')),
      user: random.below(3) === 0 ? random.pick(pieces('ada¦bob')) : undefined,
    },
    hash: random.below(4) === 0 ? null : hash(random),
    changedMs: 1_700_000_000_000 + random.below(4) * 1000,
  }));
}

const instants = pieces(
  '2024-02-29T00:00:00Z¦2023-02-29T00:00:00Z¦2024-01-01T24:00:00Z¦2024-01-01T23:59:59.5Z¦2024-01-01T00:00:00.123456+01:30¦2024-01-01T00:00:00-23:59¦2024-01-01T00:00:00+24:00¦2024-01-01T00:00:00+00:60¦2024-01-01¦2024-13-01T00:00:00Z¦2024-04-31T12:00:00Z¦x',
);

export function instant(random: Generator): string {
  return random.pick(instants);
}

const texts = pieces('¦a¦b¦aa¦é¦\uffee¦\ud7ff¦😀¦😁¦\ud800¦\ue000¦a/¦a-');

export function textPair(random: Generator): [string, string] {
  const text = (): string => random.repeat(0, 2, () => random.pick(texts));
  return [text(), text()];
}

export function storedVersions(random: Generator): {
  versions: { hash: string; size: number; savedMs: number }[];
  policy: [number, number];
} {
  const versions = Array.from({ length: random.below(6) }, (_, index) => ({
    hash: String(index),
    size: random.below(4) * 10,
    savedMs: 1000 - random.below(5) * 100,
  }));
  return { versions, policy: [random.below(5) * 100, random.below(6) * 10] };
}

const records = ['intent', 'commit', 'abort', 'external', 'scan', 'note'] as const;

/** Records of a journal. Some fields are missing or have an invalid type. */
export function journalRecords(random: Generator): Partial<JournalRecord>[] {
  return Array.from({ length: 1 + random.below(8) }, (_, index) => {
    const optional: Record<string, unknown> = {
      backend: 'fs',
      error: 'BUSY',
      ms: 1.5,
      changed: random.pick(pieces('2026-01-02T00:00:00.000Z¦9000-01-01T00:00:00.000Z¦no')),
      manifest: hash(random),
      intent: 1 + random.below(4),
      tag: '"t"',
      moved: random.pick<unknown>([
        { path: 'content/moved.md', hash: '2' },
        { path: 'content/gone.md' },
        { hash: '1' },
        'x',
      ]),
      user: random.pick([reservedUserNameForBook, 'ada']),
    };
    const record: Record<string, unknown> = {
      kind: random.pick(records),
      seq: index + 1 + Number(random.below(12) === 0),
      time: `2026-01-01T00:00:0${Math.min(9, index + Number(random.below(8) > 0))}.000Z`,
      book: 'graphs',
      agent: random.below(9) === 0 ? random.pick(['', 'system']) : 'tester',
      operation: 'write_content',
      path: random.pick(pieces('content/a.md¦content/a.md¦content/b.md¦')),
      prev: random.below(2) === 0 ? null : hash(random),
      new: random.below(2) === 0 ? null : hash(random),
      status: 'success',
    };
    for (const [name, value] of Object.entries(optional)) if (random.below(3) === 0) record[name] = value;
    if (random.below(8) === 0)
      record[random.pick(pieces('kind¦seq¦time¦agent¦path¦prev¦user¦ms¦moved'))] = random.pick([
        7,
        'x',
        null,
        0,
        '1969-12-31T00:00:00Z',
        1.5,
      ]);
    return record;
  });
}

const checkpointLines = [
  '{"format":1,"seq":5,"lastMs":1000,"chain":"c"}',
  '{"format":1,"seq":5,"lastMs":1000,"chain":"c"}',
  '{"format":1,"seq":0,"lastMs":0,"chain":""}',
  '{"format":2,"seq":5,"lastMs":1000,"chain":"c"}',
  '{"format":1,"seq":-1,"lastMs":1000,"chain":"c"}',
  '{"format":1,"seq":5,"lastMs":1.5,"chain":"c"}',
  '{"format":1,"seq":5,"lastMs":1000}',
] as const;
const checkpointEntries = [
  '{"book":"b","path":"p","user":"__base__","hash":null,"changedMs":1,"agent":"a"}',
  '{"book":"b","path":"p","user":"ada","hash":"h","changedMs":0,"agent":"a","tag":"t"}',
  '{"manifest":"m","seq":3}',
  '{"manifest":"n","seq":0}',
  '{"intent":{"kind":"intent","seq":4,"time":"2026-01-01T00:00:00.000Z","chain":"c","path":"p"}}',
] as const;
const invalidEntries = [
  '{"book":"b","path":1,"user":"u","hash":null,"changedMs":1,"agent":"a"}',
  '{"book":1,"path":"p","user":"u","hash":null,"changedMs":1,"agent":"a"}',
  '{"book":"b","path":"p","user":null,"hash":null,"changedMs":1,"agent":"a"}',
  '{"book":"b","path":"p","user":"u","hash":2,"changedMs":1,"agent":"a"}',
  '{"book":"b","path":"p","user":"u","hash":null,"changedMs":-1,"agent":"a"}',
  '{"book":"b","path":"p","user":"u","hash":null,"changedMs":1}',
  '{"manifest":1,"seq":3}',
  '{"manifest":"m","seq":"3"}',
  '{"intent":{}}',
  'null',
  '[]',
  '{"end":2}',
  '{',
] as const;

export function checkpointText(random: Generator): string[] {
  const entries = Array.from({ length: random.below(5) }, () =>
    random.below(10) === 0 ? random.pick(invalidEntries) : random.pick(checkpointEntries),
  );
  const count = entries.length + 1 + Number(random.below(12) === 0);
  const end = random.below(12) === 0 ? [] : [`{"end":${count}}`];
  return [random.pick(checkpointLines), ...entries, ...end, ...(random.below(12) === 0 ? ['{}'] : [])];
}

const roots = pieces(
  's3://bucket¦s3://bucket/¦s3://bucket/a/b¦s3://bucket/a//b¦s3://bucket/./a¦s3://bucket/..¦s3://b¦s3://bu¦s3://buc¦s3://-bucket¦s3://bucket-¦s3://Bucket.x_y/é¦s3://bucket/a?b¦s3://bucket/a#b¦s3://bucket/a\\b¦/folder¦S3://bucket',
  [
    's3://',
    'x'.repeat(63),
    '¦s3://',
    'x'.repeat(64),
    '¦s3://bucket/',
    'y'.repeat(512),
    '¦s3://bucket/',
    'y'.repeat(513),
    '¦s3://bucket/',
    'é'.repeat(256),
    '///',
  ].join(''),
);

export function bucketRoot(random: Generator): string {
  return random.pick(roots);
}

const endpoints = pieces(
  'https://store.example¦http://store.example¦http://localhost:9000¦http://127.0.0.1¦http://127.1.2.3:80/¦http://[::1]:9000¦http://128.0.0.1¦https://u@store.example¦https://:p@store.example¦https://store.example/path¦https://store.example?q¦https://store.example#f¦ftp://store.example¦store.example¦http://localhost.example¦',
);

export function endpoint(random: Generator): string {
  return random.pick(endpoints);
}

export function findings(random: Generator): ValidationFinding[] {
  const count = random.pick([0, 1, 3, 4, 5, 22, 30]);
  return Array.from({ length: count }, (_, index) => ({
    path: `${random.pick(pieces('content/¦content/01-a/¦'))}${index}.md`,
    severity: random.below(5) === 0 ? 'error' : 'warning',
    issue: random.below(4) === 0 ? 'Other' : 'Issue',
    message: `Message ${index}.`,
    suggestion: `Suggestion ${index}.`,
  }));
}

export function hashesByPath(random: Generator): [Record<string, string> | undefined, Record<string, string>] {
  const files = (): Record<string, string> =>
    Object.fromEntries(
      ['a', 'b', 'c', '\uffee', '😀'].filter(() => random.below(3) > 0).map(path => [path, hash(random).slice(0, 1)]),
    );
  return [random.below(6) === 0 ? undefined : files(), files()];
}
