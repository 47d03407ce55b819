import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { has } from './support/toolsets.ts';

const text = readFileSync('docs/architecture.md', 'utf8');
const known = ['src', 'test', 'build', 'docs', 'dist', 'bench', 'packaging'].flatMap(folder =>
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

test('docs/architecture.md names every file of the core, and every file and folder of a toolset', () => {
  const parts = text.split(/^## /m);
  const isCore = (name: string): boolean => /^\/src\/[\w.-]+\.ts$/.test(name);
  const unnamed = known.filter(isCore).filter(file => !parts.some(part => isNamed(part, file.slice('/src/'.length))));
  for (const part of parts) {
    const toolset = /^`(\w+)`/.exec(part)?.[1];
    const inside = new RegExp(`^/src/toolsets/${toolset}/((?:io|model)/[^/]+)$`);
    unnamed.push(...known.filter(file => inside.test(file) && !isNamed(part, inside.exec(file)?.[1] ?? '')));
  }
  expect(unnamed).toEqual([]);
});

function isNamed(part: string, name: string): boolean {
  return part.includes(`\`${name}\``) || part.includes(`\`${name}/\``);
}

/** What stands between backquotes and looks like a path, but for those with a name to be filled in. */
function namedIn(part: string): string[] {
  return Array.from(part.matchAll(/`([\w./-]+(?:\.(?:ts|mjs|txt|json|cjs|md)|\/))`/g), ([, name = '']) =>
    name.replace(/\/$/, ''),
  ).filter(name => !/NAME|the-tool/.test(name) && has(...(/toolsets\/(\w+)/.exec(name)?.slice(1) ?? [])));
}
