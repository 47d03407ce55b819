import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Failure } from '../../../../src/errors/failure.ts';
import { openProblemCollection } from '../../../../src/toolsets/oj/io/collection/index.ts';
import { scanProblemRecord } from '../../../../src/toolsets/oj/io/collection/json-scan.ts';
import { indexWordsOf } from '../../../../src/toolsets/oj/io/collection/words.ts';
import { readProblemYaml } from '../../../../src/toolsets/oj/io/collection/yaml.ts';
import { defineReader, nest, repeat } from '../../../fuzz/pump/reader.ts';

const yaml = defineReader({
  name: 'problem.yaml',
  cases: repeat(
    ['a: b\n', 'a:\n', ' - a\n', "'", '"', '#', ' #', '\\', '|\n', '[a, ', ',', ' ', 'a', ':', '\n', "''"],
    'name: ',
  ),
  read: input => readProblemYaml(input.toString('utf8')),
});

const record = defineReader({
  name: 'JSON lines',
  cases: [
    ...repeat(['"a":1,', '"a":"b",', '"a":[],', '\\"', '\\\\', '"', ',', ' ', '"source":"a",', '"id":{},'], '{'),
    ...repeat(['\\"', '\\\\', 'a'], '{"a":"', '"}'),
    ...nest([
      ['{"a":', '}'],
      ['[', ']'],
    ]),
  ],
  read: input => scanProblemRecord(input, 0, input.length),
});

const words = defineReader({
  name: 'words of a statement',
  cases: repeat(['a', 'ab ', '<', '<a', '<a>', '&', '&a', '&#', '\\a', "'s", '日', '日a', 'é', 'ies ', '\u0301', '１']),
  read: input => indexWordsOf(input.toString('utf8')),
});

const shared = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Creates a reader that opens a collection of one problem package with this file. */
function packageReader(file: string, cases: ReturnType<typeof repeat>) {
  return defineReader({
    name: `package ${file}`,
    cases,
    async read(input) {
      const root = mkdtempSync(path.join(shared, 'oj-mcp-fuzz-'));
      try {
        mkdirSync(path.join(root, 'judge', 'one'), { recursive: true });
        writeFileSync(path.join(root, 'judge', 'one', 'problem.xml'), '<problem/>');
        writeFileSync(path.join(root, 'judge', 'one', file), input.subarray(0, 1_000_000));
        return await openProblemCollection([root], 'en').problem('judge', 'one', new AbortController().signal);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return undefined;
      } finally {
        rmSync(root, { recursive: true });
      }
    },
  });
}

const xml = repeat(
  ['<name ', '<name', '<tag ', '<name value="', '<name language="a" ', '<name a>', '"', '&amp;', ' ', '<'],
  '<problem>',
);

export const readers = [yaml, record, words, packageReader('problem.xml', xml)];
