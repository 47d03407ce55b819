import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

/** Every file of src/ with its text. */
const sources = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map(name => name.replaceAll('\\', '/'))
    .filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map(name => [name, readFileSync(`src/${name}`, 'utf8')]),
);

/** What reaches the world, or asks it for the time, without an import. */
const worldly =
  /^(?:fetch|globalThis|navigator|performance|process|require|set(?:Timeout|Interval|Immediate)|WebSocket)$/;

const arrows = [...sources].flatMap(([name, source]) => importsOf(name, source));
const { rules, owners } = readArrows(readFileSync('src/arrows.txt', 'utf8'));

test('every import goes along an arrow of src/arrows.txt', () => {
  expect(forbidden(arrows)).toEqual([]);
});

test('no imports go in a circle, not even those of types', () => {
  expect(circles(arrows)).toEqual([]);
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
    [
      'toolsets/a/model/row.ts',
      `import {\n  // of a row; or of two\n  walk,\n} from '../io/walk.ts';`,
      'toolsets/a/io/walk.ts',
    ],
    ['toolsets/a/model/row.ts', `type Walk = import('../io/walk.ts').Walk;`, 'toolsets/a/io/walk.ts'],
    ['toolsets/a/model/row.ts', `const { walk } = await import('../io/' + name);`, 'what is computed'],
    ['toolsets/a/model/row.ts', `const page = await fetch(address);`, 'global:fetch'],
    ['toolsets/a/model/row.ts', `const fs = process.getBuiltinModule('node:fs');`, 'global:process'],
    ['toolsets/a/text.ts', `setTimeout(say, 10);`, 'global:setTimeout'],
    ['toolsets/a/odd.ts', `import { parse } from '../../parse.ts';`, 'parse.ts'],
    ['toolsets/a/io/api.ts', `import { ofetch } from 'ofetch';`, 'ofetch'],
    ['parse.ts', `import { Server } from '@modelcontextprotocol/sdk/server/index.js';`, '@modelcontextprotocol/sdk'],
  ])('in %s: %s', (importer, source, target) => {
    expect(forbidden(importsOf(importer, source))).toEqual([`${importer} -> ${target}`]);
  });

  test('and so is a circle', () => {
    const round = [
      ...importsOf('a.ts', `import { b } from './b.ts';`),
      ...importsOf('b.ts', `import type { C } from './c.ts';`),
      ...importsOf('c.ts', `const { a } = await import('./a.ts');`),
      ...importsOf('d.ts', `import { a } from './a.ts';`),
    ];
    expect(circles(round)).toEqual(['a.ts b.ts c.ts in a circle']);
  });
});

interface Import {
  importer: string;
  target: string;
  isType: boolean;
}

function importsOf(importer: string, source: string): Import[] {
  return nodesOf(parseAst(source, { lang: 'ts' })).flatMap(node => {
    const arrow = (target: string, isType = false): Import[] => [{ importer, target, isType }];
    const kind = node['importKind'] ?? node['exportKind'];
    if (/^(?:Import|Export|TSImportType)/.test(node.type) && isNode(node['source'])) {
      const name = node['source']['value'];
      return arrow(typeof name === 'string' ? resolve(importer, name) : 'what is computed', kind === 'type');
    }
    const name = node.type === 'Identifier' ? String(node['name']) : '';
    return worldly.test(name) ? arrow(`global:${name}`) : [];
  });
}

type Node = Readonly<Record<string, unknown>> & { type: string };

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** A node and all below it, but for the names of members. */
function nodesOf(node: unknown): Node[] {
  if (Array.isArray(node)) return node.flatMap(nodesOf);
  if (!isNode(node)) return [];
  const isNamed = node['computed'] === false;
  const inner = Object.entries(node).filter(([key]) => !(isNamed && (key === 'property' || key === 'key')));
  return [node, ...inner.flatMap(([, value]) => nodesOf(value))];
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

function readArrows(text: string): { rules: Rule[]; owners: Map<string, string[]> } {
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  const split = (line: string, arrow: string): string[] => line.split(arrow).map(part => part.trim());
  return {
    rules: lines
      .filter(line => line.includes('->'))
      .map(line => split(line, '->'))
      .map(([importer = '', targets = '']) => ({ importer, targets: targets.split(/ +/) })),
    owners: new Map(
      lines
        .filter(line => line.includes('<-'))
        .map(line => split(line, '<-'))
        .map(([name = '', files = '']) => [name, files.split(/ +/)]),
    ),
  };
}

function forbidden(among: readonly Import[]): string[] {
  const wrong = among.filter(arrow => !isAllowed(arrow)).map(({ importer, target }) => `${importer} -> ${target}`);
  return [...new Set(wrong)];
}

function isAllowed({ importer, target, isType }: Import): boolean {
  const rule = rules.find(candidate => matches(candidate.importer, importer));
  const name = /^toolsets\/([^/]+)\//.exec(importer)?.[1] ?? '';
  const isPackage = !/^(?:node|global):|\.(?:ts|json)$| /.test(target);
  if (owners.get(target)?.includes(importer) === false) return false;
  return (
    rule?.targets.some(allowed => {
      if (allowed === 'packages') return isPackage;
      if (allowed === 'globals') return target.startsWith('global:');
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
function circles(among: readonly Import[]): string[] {
  const targets = new Map<string, string[]>();
  for (const { importer, target } of among) targets.set(importer, [...(targets.get(importer) ?? []), target]);
  const reach = new Map(Array.from(targets.keys(), file => [file, reachedFrom(file, targets)]));
  const round = [...targets.keys()].filter(file => reach.get(file)?.has(file));
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
