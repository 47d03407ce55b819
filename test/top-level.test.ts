import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** What somebody sees who opens the project. Whatever is new finds a place in one of these, or a good reason. */
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

test('the top level holds these names and no other', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
  const top = new Set(files.split('\n').flatMap(file => file.split('/', 1)));
  top.delete('');
  expect([...top].sort()).toEqual(names);
});
