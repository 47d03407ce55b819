import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/**
 * The list contains all names at the top level. A new file belongs into one of these folders unless there is a good
 * reason for a new name.
 */
const names = [
  '.ci',
  '.editorconfig',
  '.gitattributes',
  '.github',
  '.gitignore',
  '.oxlintrc.json',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'bench',
  'biome.json',
  'build',
  'build.mjs',
  'dist',
  'docs',
  'examples',
  'package-lock.json',
  'package.json',
  'packaging',
  'src',
  'test',
  'tsconfig.json',
  'vitest.config.ts',
];

test('the top level of the repository contains exactly the listed files and folders', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
  const top = new Set(files.split('\n').flatMap(file => file.split('/', 1)));
  top.delete('');
  expect([...top].sort()).toEqual(names);
});
