import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

/** Every file of src/ with its text. */
const sources = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map(name => name.replaceAll('\\', '/'))
    .filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map(name => [name, readFileSync(`src/${name}`, 'utf8')]),
);

const { rules, owners, excepted } = readArrows(readFileSync('src/arrows.txt', 'utf8'));

test('every import goes along an arrow of src/arrows.txt', () => {
  expect(forbidden(sources).filter(arrow => !excepted.includes(arrow))).toEqual([]);
});

test('no imports go in a circle, not even those of types', () => {
  expect(circles(sources).filter(circle => !excepted.includes(circle))).toEqual([]);
});

test('what arrows.txt excepts is still there', () => {
  expect(excepted.filter(line => ![...forbidden(sources), ...circles(sources)].includes(line))).toEqual([]);
});

describe('an import that is not allowed is seen', () => {
  test.each([
    ['failure.ts', `import { oj } from './toolsets/oj/index.ts';`, 'toolsets/oj/index.ts'],
    ['server.ts', `import { main } from './command.ts';`, 'command.ts'],
    ['main.ts', `import { serve } from './server.ts';`, 'server.ts'],
    ['toolsets/index.ts', `export { flags } from './oj/settings.ts';`, 'toolsets/oj/settings.ts'],
    ['toolsets/a/model/row.ts', `import { books } from '../../b/index.ts';`, 'toolsets/b/index.ts'],
    ['toolsets/a/model/row.ts', `import { walk } from '../io/walk.ts';`, 'toolsets/a/io/walk.ts'],
    ['toolsets/a/model/row.ts', `import type { Walk } from '../io/walk.ts';`, 'toolsets/a/io/walk.ts'],
    ['toolsets/a/model/row.ts', `import { readFileSync } from 'node:fs';`, 'node:fs'],
    ['toolsets/a/model/row.ts', `const { lstat } = await import('node:fs/promises');`, 'node:fs/promises'],
    ['toolsets/a/model/row.ts', `import { createRequest } from '../../../request.ts';`, 'request.ts'],
    ['toolsets/a/io/walk.ts', `import {\n  tools,\n} from '../tools/index.ts';`, 'toolsets/a/tools/index.ts'],
    ['toolsets/a/io/walk.ts', `export * from '../text.ts';`, 'toolsets/a/text.ts'],
    ['toolsets/a/io/walk.ts', `import source from 'worker:../tools/thread.ts';`, 'toolsets/a/tools/thread.ts'],
    ['toolsets/a/text.ts', `import { walk } from './io/walk.ts';`, 'toolsets/a/io/walk.ts'],
    ['toolsets/a/tools/get.ts', `const b = await import('packed:src/toolsets/b/text.ts');`, 'toolsets/b/text.ts'],
    ['toolsets/a/tools/get.ts', `import 'node:child_process';`, 'node:child_process'],
    ['toolsets/a/odd.ts', `import { parse } from '../../parse.ts';`, 'parse.ts'],
    ['toolsets/a/io/api.ts', `import { ofetch } from 'ofetch';`, 'ofetch'],
    ['parse.ts', `import { Server } from '@modelcontextprotocol/sdk/server/index.js';`, '@modelcontextprotocol/sdk'],
  ])('in %s: %s', (importer, source, target) => {
    expect(forbidden(new Map([[importer, source]]))).toEqual([`${importer} -> ${target}`]);
  });

  test('and so is a circle', () => {
    const round = new Map([
      ['a.ts', `import { b } from './b.ts';`],
      ['b.ts', `import type { C } from './c.ts';`],
      ['c.ts', `const { a } = await import('./a.ts');`],
      ['d.ts', `import { a } from './a.ts';`],
    ]);
    expect(circles(round)).toEqual(['a.ts b.ts c.ts in a circle']);
  });
});

interface Import {
  importer: string;
  target: string;
  isType: boolean;
}

/** Statements begin their line: how code is laid out is the formatter's business. */
const statement = /^(?:import|export)\b([^;]*?)\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

function importsOf(importer: string, source: string): Import[] {
  return Array.from(source.matchAll(statement), ([, names = '', from, bare, lazy]) => {
    const target = resolve(importer, from ?? bare ?? lazy ?? '');
    return { importer, target, isType: names.startsWith(' type ') };
  });
}

/** A path below src/, a module of Node, or the name of a package. */
function resolve(importer: string, specifier: string): string {
  const name = specifier.replace(/^(?:worker|packed):/, '');
  if (name.startsWith('src/')) return name.slice('src/'.length);
  if (name.startsWith('.')) return path.posix.join(path.posix.dirname(importer), name);
  return name.startsWith('node:') ? name : name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

interface Rule {
  importer: string;
  targets: string[];
}

function readArrows(text: string): { rules: Rule[]; owners: Map<string, string[]>; excepted: string[] } {
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  const split = (line: string, arrow: string): string[] => line.split(arrow).map(part => part.trim());
  const rest = lines.filter(line => !line.startsWith('except '));
  return {
    excepted: lines.filter(line => line.startsWith('except ')).map(line => line.slice('except '.length)),
    rules: rest
      .filter(line => line.includes('->'))
      .map(line => split(line, '->'))
      .map(([importer = '', targets = '']) => ({ importer, targets: targets.split(/ +/) })),
    owners: new Map(
      rest
        .filter(line => line.includes('<-'))
        .map(line => split(line, '<-'))
        .map(([name = '', files = '']) => [name, files.split(/ +/)]),
    ),
  };
}

function forbidden(files: ReadonlyMap<string, string>): string[] {
  return [...files]
    .flatMap(([importer, source]) => importsOf(importer, source))
    .filter(arrow => !isAllowed(arrow))
    .map(({ importer, target }) => `${importer} -> ${target}`);
}

function isAllowed({ importer, target, isType }: Import): boolean {
  const rule = rules.find(candidate => matches(candidate.importer, importer));
  const name = /^toolsets\/([^/]+)\//.exec(importer)?.[1] ?? '';
  const isPackage = !/^node:|\.(?:ts|json)$/.test(target);
  if (owners.get(target)?.includes(importer) === false) return false;
  return (
    rule?.targets.some(allowed => {
      if (allowed === 'packages') return isPackage;
      const pattern = allowed.replace('NAME', name);
      return pattern.startsWith('type:')
        ? isType && matches(pattern.slice('type:'.length), target)
        : matches(pattern, target);
    }) ?? false
  );
}

function matches(pattern: string, name: string): boolean {
  const expression = pattern
    .replace(/[.]/g, String.raw`\.`)
    .replace(/\*\*|\*|NAME/g, wild => (wild === '**' ? '.+' : pattern.startsWith('node:') ? '.+' : '[^/]+'));
  return new RegExp(`^${expression}$`).test(name);
}

/** The files that reach themselves, those of one circle together. */
function circles(files: ReadonlyMap<string, string>): string[] {
  const targets = new Map(
    [...files].map(([file, source]) => [file, importsOf(file, source).map(({ target }) => target)]),
  );
  const reach = new Map([...files.keys()].map(file => [file, reachedFrom(file, targets)]));
  const round = [...files.keys()].filter(file => reach.get(file)?.has(file));
  const groups = round.map(file => round.filter(other => reach.get(file)?.has(other) && reach.get(other)?.has(file)));
  return [...new Set(groups.map(group => `${group.sort().join(' ')} in a circle`))];
}

function reachedFrom(start: string, targets: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const waiting = [...(targets.get(start) ?? [])];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    waiting.push(...(targets.get(file) ?? []));
  }
  return reached;
}
