import { describe, expect, test } from 'vitest';
import { runProgram } from '../support/program.ts';
import { has } from '../support/toolsets.ts';

const backend = ['--base-url', 'http://127.0.0.1:1'];
const importOf = ['--books-root', '/no/such/library', '--books-import', '/no/such/folder'];

describe.runIf(has('oj', 'books', 'files'))('the exit code of a command line', () => {
  test.each([
    ['an unknown flag', ['--verbos']],
    ['a positional argument', ['check']],
    ['a flag without its value', ['--base-url']],
    ['a repeated flag', ['--demo', '--demo']],
    ['a missing flag', []],
    ['a missing flag of another toolset', ['--toolsets', 'files']],
    ['two modes', ['--check', '--print-config', 'zed']],
    ['two flags that exclude each other', ['--token', 'a', '--token-file', '/b', ...backend]],
    ['two backends', [...backend, '--problems', '/a']],
    ['a collection and the demo', ['--problems', '/a', '--demo']],
    ['a flag without effect in the mode', ['--uninstall', 'zed', '--demo']],
    ['an import without the id of a book', importOf],
    ['a confirmed import into the demo', ['--demo', '--books-import', '.', '--book', 'abc', '--yes']],
  ])('is 2 for %s', async (_, args) => {
    expect(await runProgram(args)).toMatchObject({ code: 2, stdout: '' });
  });

  test.each([
    ['an unknown host of --print-config', ['--print-config', 'nobody']],
    ['an unknown host of --install', ['--install', 'nobody']],
    ['an unknown host of --uninstall', ['--uninstall', 'nobody']],
    ['an unknown toolset', ['--toolsets', 'nothing']],
    ['an address that is no origin', ['--base-url', 'ftp://h']],
    ['a relative path', ['--problems', 'a.jsonl']],
    ['a missing file', ['--problems', '/no/such/file']],
    ['a number outside of its range', ['--demo', '--toolsets', 'books', '--books-max-upload-mb', '12']],
    ['an unknown language', ['--oj-language', 'zh', ...backend]],
    ['a token with a blank', ['--token', 'a b', ...backend]],
    ['an invalid id of a book', [...importOf, '--book', 'No Id']],
    ['a missing folder of an import', [...importOf, '--book', 'abc']],
    ['a failed check', ['--check', ...backend]],
    ['a check of an unknown toolset', ['--check', '--toolsets', 'nothing']],
  ])('is 1 for %s', async (_, args) => {
    expect((await runProgram(args)).code).toBe(1);
  });
});
