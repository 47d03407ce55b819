import { describe, expect, test } from 'vitest';
import { findSimilarFlagNames, parseCommandLine } from '../../src/cli/argv.ts';
import { allFlags, allToolsets } from '../../src/cli/enabled-toolsets.ts';
import { runProgram } from '../support/program.ts';
import { has, known } from '../support/toolsets.ts';

const withPrefix = [...known].flatMap(([toolset, { flags }]) =>
  Object.keys(flags).flatMap(flag => (flag.startsWith(`${toolset}-`) ? [{ toolset, flag }] : [])),
);
const withoutPrefix = (toolset: string, flag: string): string => flag.slice(toolset.length + 1);

function suggestionFor(args: readonly string[], toolsets?: string): string | undefined {
  try {
    parseCommandLine(args, allFlags, allToolsets, toolsets);
  } catch (error) {
    return error instanceof Error ? /Did you mean (.*)\?/.exec(error.message)?.[1] : undefined;
  }
  return undefined;
}

describe('the suggestion for an unknown flag', () => {
  test.each(withPrefix)('is --$flag for its name without the prefix of the enabled toolset', ({ toolset, flag }) => {
    const short = `--${withoutPrefix(toolset, flag)}`;
    expect(suggestionFor(['--toolsets', toolset, short, 'x'])).toBe(`--${flag}`);
    expect(suggestionFor([short, 'x', `--toolsets=${toolset}`])).toBe(`--${flag}`);
    expect(suggestionFor([short, 'x'], toolset)).toBe(`--${flag}`);
  });

  test.each(withPrefix)('is never a flag of another toolset for a misspelled --$flag', ({ toolset, flag }) => {
    for (const wrong of [`--${flag}x`, `--${flag.slice(0, -1)}`, `--${flag.replaceAll('-', '_')}`])
      expect(suggestionFor(['--toolsets', toolset, wrong]) ?? `--${flag}`).toMatch(new RegExp(`^--${toolset}-`));
  });

  test.runIf(has('oj', 'books', 'files')).each([
    ['', '--root', '--books-root or --files-root'],
    ['all', '--root', '--books-root or --files-root'],
    ['oj', '--url', '--base-url'],
    ['oj,books', '--url', '--base-url'],
    ['', '--cache', '--files-cache'],
    ['', '--extras', '--oj-extras'],
    ['', '--folder', '--books-root or --files-root'],
    ['files', '--folder', '--files-root'],
    ['files', '--root-dir', '--files-root'],
    ['files', '--cache-folder', '--files-cache'],
    ['books', '--path', '--books-root'],
    ['books', '--import-dir', '--books-import'],
    ['', '--problems-path', '--problems'],
    ['', '--bucket', '--books-root'],
    ['books', '--bucket', '--books-root'],
    ['files', '--library', '--books-root'],
    ['books', '--endpoint', '--books-s3-endpoint'],
    ['', '--endpoint', '--base-url'],
    ['', '--s3-endpoint', '--books-s3-endpoint'],
    ['', '--cdn-url', '--books-cdn-url'],
    ['oj', '--password', '--token'],
    ['oj', '--confirm', '--yes'],
    ['', '--api', '--base-url'],
    ['books', '--author', '--books-agent'],
    ['files', '--roots', '--files-root'],
    ['', '--collection', '--problems'],
    ['', '--enable', '--toolsets'],
    ['books', '--url', '--books-cdn-url'],
    ['books', '--base-ulr', '--base-url'],
    ['files', '--tokne', '--token'],
    ['files', '--books-rot', '--books-root'],
    ['files', '--chekc', '--check'],
    ['files', '--nothing-like-it', undefined],
    ['books', '--x-mb', undefined],
  ])('with the toolsets %j and the flag %s is %s', (toolset, flag, suggestion) => {
    expect(suggestionFor([flag, 'x'], toolset)).toBe(suggestion);
  });

  test.runIf(has('files'))('prefers the toolset of another flag on the command line', () => {
    expect(suggestionFor(['--files-timeout-ms', '5', '--root', 'x'])).toBe('--files-root');
  });
});

test.runIf(has('files'))('the suggestion for an unknown variable belongs to the enabled toolset', async () => {
  const { stderr } = await runProgram(['--toolsets', 'files', '--demo'], { env: { OJ_MCP_ROOT: '/x' } });
  expect(stderr).toContain('OJ_MCP_ROOT has no effect: there is no such variable. Did you mean OJ_MCP_FILES_ROOT?');
});

test('a name that only resembles nothing has no suggestion', () => {
  expect(findSimilarFlagNames('zzzz', Object.keys(allFlags), [])).toEqual([]);
});
