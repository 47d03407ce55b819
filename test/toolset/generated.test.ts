import * as v from 'valibot';
import { expect, test } from 'vitest';
import { Failure } from '../../src/errors/failure.ts';
import {
  acceptConvertibleTypes,
  normalizationOfArgument,
  publishAsRequired,
  readArguments,
  treatEmptyStringAsAbsent,
} from '../../src/toolset/argument.ts';
import {
  badValue,
  describeBadPort,
  environmentVariableOfFlag,
  expandHomeFolder,
  flagOfVariable,
  mayBeSecret,
  readChoiceFlag,
  readWholeNumberFlag,
  requireAbsolutePath,
} from '../../src/toolset/flag-value.ts';
import { validateValue } from '../../src/toolset/parse.ts';
import { type Generator, listGenerated, pieces } from '../support/generator.ts';

const entries = {
  id: v.pipe(v.string(), acceptConvertibleTypes()),
  text: v.optional(v.pipe(v.string(), v.maxLength(5, 'must be short'), treatEmptyStringAsAbsent())),
  count: v.optional(v.pipe(v.number(), v.integer('must be whole'), acceptConvertibleTypes()), 3),
  isOn: v.optional(v.pipe(v.boolean(), acceptConvertibleTypes())),
  kind: v.optional(v.pipe(v.picklist(['com', 'cn']), publishAsRequired())),
  list: v.optional(v.array(v.string())),
  object: v.optional(v.strictObject({ inner: v.nullable(v.string()) })),
};
const schema = v.strictObject(entries);

const names = pieces('id¦id¦text¦count¦isOn¦kind¦list¦object¦sessionId¦_meta¦idd¦other¦kidn¦constructor');
const values: [unknown, ...unknown[]] = [
  '1',
  1,
  -0,
  1.5,
  2 ** 53,
  'text',
  'long text',
  '',
  null,
  true,
  'true',
  'false',
  'TRUE',
  '5',
  '05',
  '-1.5',
  '1e3',
  'cn',
  'x'.repeat(100),
  ['a'],
  [1],
  {},
  { inner: null },
  { inner: 2 },
  { inner: 'a', more: 1 },
  Number.NaN,
];

function callArguments(random: Generator): unknown {
  const kind = random.below(30);
  if (kind < 4) return [undefined, null, 'text', [1]][kind];
  const pairs = Array.from({ length: random.below(4) }, () => [random.pick(names), random.pick(values)]);
  return Object.fromEntries(random.below(3) > 0 ? [['id', random.pick(['1', 2, 'x'])], ...pairs] : pairs);
}

function outcomeOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof Failure) return [error.code, error.message, error.hint ?? '', error.report ?? ''];
    throw error;
  }
}

function listArguments(given: unknown): unknown {
  return [
    outcomeOf(() => readArguments(given, entries)),
    outcomeOf(() => validateValue(schema, readArguments(given, entries), 'argument', 'call')),
    outcomeOf(() =>
      validateValue(schema, given, 'malformed', 'answer', sentence => ({ sentence }), {
        id: 'Give an id.',
        text: 'Shorten it.',
      }),
    ),
  ];
}

const flagValues = pieces(
  '1¦ 5 ¦05¦10¦11¦0¦-1¦1.5¦1e3¦999999999¦9999999999¦en¦ EN¦cn ¦de¦/a/b¦/a/../b¦a/b¦./a¦C:\\a¦\\\\host\\a¦~user/a¦file:///a%20b¦file://host/a¦FILE:///a¦https://u:p@host/a?b#c¦s3://bucket¦//u:p@host¦a:/b¦ab:/c¦sk-secret+value=¦token.txt¦name.toolong¦a b¦https://host:65535¦https://host:65536/¦http://u@host:99999?x¦host:70000',
);

function flagValue(random: Generator): string {
  return random.pick(flagValues);
}

function listFlagValue(value: string): unknown {
  const run = [
    () => readWholeNumberFlag('limit', value, { standard: 7, min: 1, max: 10 }),
    () => readChoiceFlag('oj-language', value, ['en', 'cn']),
    () => expandHomeFolder('files-root', value),
    () => mayBeSecret(value),
    () => describeBadPort(value),
    () => badValue('bad', value, 'Hint.').message,
  ];
  return run.map(one => JSON.stringify(outcomeOf(one) ?? null).replaceAll(process.cwd(), 'CWD'));
}

test.skipIf(process.platform === 'win32').each<[inputs: string, list: () => string]>([
  ['arguments', () => listGenerated(callArguments, listArguments, { shown: 40, blocks: 20 })],
  ['flag-values', () => listGenerated(flagValue, listFlagValue, { shown: 100, blocks: 0 })],
])('the approved file lists the %s of generated inputs', async (name, list) => {
  await expect(list()).toMatchFileSnapshot(`approved/generated-${name}.txt`);
});

test.skipIf(process.platform === 'win32')(
  'an absolute path is resolved, and a relative one is an error with a hint',
  () => {
    expect(requireAbsolutePath('files-root', '/a/../b')).toBe('/b');
    expect(outcomeOf(() => requireAbsolutePath('files-root', 'a'))).toMatchObject([
      'setting',
      '--files-root must be an absolute path, got "a".',
      `A host may start the server in any working directory. From this one it is ${process.cwd()}/a.`,
      '',
    ]);
    expect(outcomeOf(() => requireAbsolutePath('files-root', 'C:\\a'))).toMatchObject([
      'setting',
      expect.any(String),
      expect.stringContaining('a path of Windows'),
      '',
    ]);
    expect(readWholeNumberFlag('limit', undefined, { standard: 7, min: 1, max: 10 })).toBe(7);
    expect([environmentVariableOfFlag('books-root'), flagOfVariable('OJ_MCP_BOOKS_ROOT')]).toEqual([
      'OJ_MCP_BOOKS_ROOT',
      'books-root',
    ]);
    const marks = Object.values(entries).map(entry => {
      const { isLoose, isEmptyAbsent, isPublishedAsRequired } = normalizationOfArgument(entry);
      return [isLoose, isEmptyAbsent, isPublishedAsRequired].map(Number).join('');
    });
    expect(marks).toEqual(['100', '010', '100', '100', '001', '000', '000']);
  },
);
