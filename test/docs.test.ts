import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { has } from './support/toolsets.ts';

const text = readFileSync('docs/architecture.md', 'utf8');
const known = ['src', 'test', 'build', 'docs', 'dist'].flatMap(folder =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => `/${folder}/${name.replaceAll('\\', '/')}`),
);
const topLevel = readdirSync('.').map(name => `/${name}`);

test('every file and folder that docs/architecture.md names is there', () => {
  const missing = text.split(/^## /m).flatMap(part => {
    const toolset = /^`(\w+)`/.exec(part)?.[1];
    if (toolset !== undefined && !has(toolset)) return [];
    const files = toolset === undefined ? [...topLevel, ...known] : known.filter(file => file.includes(`/${toolset}/`));
    return namedIn(part).filter(name => !files.some(file => file.endsWith(`/${name}`)));
  });
  expect(missing).toEqual([]);
});

/** What stands between backquotes and looks like a path, but for those with a name to be filled in. */
function namedIn(part: string): string[] {
  return Array.from(part.matchAll(/`([\w./-]+(?:\.(?:ts|mjs|txt|json|cjs|md)|\/))`/g), ([, name = '']) =>
    name.replace(/\/$/, ''),
  ).filter(name => !/NAME|the-tool/.test(name) && has(...(/toolsets\/(\w+)/.exec(name)?.slice(1) ?? [])));
}
