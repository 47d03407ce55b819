import { readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { has } from './support/toolsets.ts';

const text = readFileSync('docs/architecture.md', 'utf8');
const known = ['src', 'test', 'build', 'docs', 'dist', 'bench', 'packaging'].flatMap(folder =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => `/${folder}/${name.replaceAll('\\', '/')}`),
);
const topLevel = readdirSync('.').map(name => `/${name}`);
/** Returns whether a path belongs to a deleted toolset or to the library that only this toolset uses. */
const isOfRemovedToolset = (name: string): boolean =>
  !has(...(/toolsets\/(\w+)/.exec(name)?.slice(1) ?? [])) ||
  (`/${name}/`.includes('/statement/') && !has('oj')) ||
  (`/${name}/`.includes('/documents/') && !has('files'));

test('docs/architecture.md names only files and folders that exist', () => {
  const missing = text.split(/^## /m).flatMap(part => {
    const toolset = /^`(\w+)`/.exec(part)?.[1];
    if (toolset !== undefined && !has(toolset)) return [];
    return pathsIn(part).filter(name => ![...topLevel, ...known].some(file => file.endsWith(`/${name}`)));
  });
  expect(missing).toEqual([]);
});

test('docs/architecture.md names every folder of src/', () => {
  const folders = readdirSync('src').filter(name => statSync(`src/${name}`).isDirectory());
  expect(folders.filter(name => !text.includes(`${name}/`))).toEqual([]);
});

/** Returns the paths in backquotes, except templates such as `toolsets/NAME/`. */
function pathsIn(part: string): string[] {
  return Array.from(part.matchAll(/`([\w./-]+(?:\.(?:ts|mjs|txt|json|cjs|md)|\/))`/g), ([, name = '']) =>
    name.replace(/\/$/, ''),
  ).filter(name => !/NAME|the-tool/.test(name) && !isOfRemovedToolset(name));
}
