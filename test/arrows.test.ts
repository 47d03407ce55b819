import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

/** Maps every file of src/ to its text. */
const sources = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map(name => name.replaceAll('\\', '/'))
    .filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map(name => [name, readFileSync(`src/${name}`, 'utf8')]),
);

/** These globals reach the system, the network or the clock without an import. */
const systemGlobals =
  /^(?:fetch|globalThis|navigator|performance|process|require|set(?:Timeout|Interval|Immediate)|WebSocket)$/;

const arrows = [...sources].flatMap(([name, source]) => importsOf(name, source));
const { rules, owners } = readArrows(readFileSync('src/arrows.txt', 'utf8'));

test('every import in src/ is allowed by src/arrows.txt', () => {
  expect(forbidden(arrows).map(explain).join('\n\n')).toBe('');
});

test('the imports of src/, including type imports, form no cycle', () => {
  expect(cycles(arrows)).toEqual([]);
});

test('the tests of a toolset import no other toolset, so that each toolset can be deleted with its tests', () => {
  const names = readdirSync('test/toolsets', { recursive: true, encoding: 'utf8' }).map(name =>
    name.replaceAll('\\', '/'),
  );
  const foreign = names.filter(name => {
    if (!name.endsWith('.ts')) return false;
    const imports = readFileSync(`test/toolsets/${name}`, 'utf8').matchAll(/ from '[./]+\/src\/toolsets\/(\w+)\//g);
    return Array.from(imports, ([, toolset]) => toolset).some(toolset => toolset !== name.split('/')[0]);
  });
  expect(foreign).toEqual([]);
});

test('the report of a forbidden import contains the violated rule, its reason and the allowed imports', () => {
  const [violation = ''] = forbidden(importsOf('toolsets/a/model/row.ts', `import { walk } from '../io/walk.ts';`));
  expect(explain(violation)).toMatch(
    /^src\/toolsets\/a\/model\/row\.ts imports toolsets\/a\/io\/walk\.ts, which src\/arrows\.txt forbids\.\n {2}rule: toolsets\/NAME\/model\/\*\*\n {2}reason: model\/ has no I\/O.*\n {2}allowed: toolset\//,
  );
});

test('the report of a forbidden package import contains the only file that may import the package', () => {
  expect(explain('http/request.ts -> citty')).toContain('  rule: only cli/command.ts imports citty');
});

describe('the import checker', () => {
  test.each([
    ['errors/failure.ts', `import { oj } from '../toolsets/oj/index.ts';`, 'toolsets/oj/index.ts'],
    ['mcp/server.ts', `import { main } from '../cli/command.ts';`, 'cli/command.ts'],
    ['main.ts', `import { serve } from './mcp/server.ts';`, 'mcp/server.ts'],
    ['toolsets/index.ts', `export { flags } from './oj/settings.ts';`, 'toolsets/oj/settings.ts'],
    ['toolsets/a/model/row.ts', `import { books } from '../../b/index.ts';`, 'toolsets/b/index.ts'],
    ['toolsets/a/model/row.ts', `import { walk } from '../io/walk.ts';`, 'toolsets/a/io/walk.ts'],
    ['toolsets/a/model/row.ts', `import type { Walk } from '../io/walk.ts';`, 'toolsets/a/io/walk.ts'],
    ['toolsets/a/model/row.ts', `import { readFileSync } from 'node:fs';`, 'node:fs'],
    ['toolsets/a/model/row.ts', `const { lstat } = await import('node:fs/promises');`, 'node:fs/promises'],
    ['toolsets/a/model/row.ts', `import { createRequest } from '../../../http/request.ts';`, 'http/request.ts'],
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
    ['toolsets/a/model/row.ts', `const { walk } = await import('../io/' + name);`, 'a computed name'],
    ['toolsets/a/model/row.ts', `const page = await fetch(address);`, 'global:fetch'],
    ['toolsets/a/model/row.ts', `const fs = process.getBuiltinModule('node:fs');`, 'global:process'],
    ['toolsets/a/text.ts', `setTimeout(say, 10);`, 'global:setTimeout'],
    ['toolsets/a/odd.ts', `import { parse } from '../../toolset/parse.ts';`, 'toolset/parse.ts'],
    ['toolsets/a/io/api.ts', `import { ofetch } from 'ofetch';`, 'ofetch'],
    [
      'toolset/parse.ts',
      `import { Server } from '@modelcontextprotocol/sdk/server/index.js';`,
      '@modelcontextprotocol/sdk',
    ],
  ])('detects the forbidden import in %s: %s', (importer, source, target) => {
    expect(forbidden(importsOf(importer, source))).toEqual([`${importer} -> ${target}`]);
  });

  test('detects an import cycle over type imports and dynamic imports', () => {
    const imports = [
      ...importsOf('a.ts', `import { b } from './b.ts';`),
      ...importsOf('b.ts', `import type { C } from './c.ts';`),
      ...importsOf('c.ts', `const { a } = await import('./a.ts');`),
      ...importsOf('d.ts', `import { a } from './a.ts';`),
    ];
    expect(cycles(imports)).toEqual(['cycle: a.ts b.ts c.ts']);
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
      return arrow(typeof name === 'string' ? resolve(importer, name) : 'a computed name', kind === 'type');
    }
    const name = node.type === 'Identifier' ? String(node['name']) : '';
    return systemGlobals.test(name) ? arrow(`global:${name}`) : [];
  });
}

type Node = Readonly<Record<string, unknown>> & { type: string };

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Returns a syntax node and its descendants, without the names of members. */
function nodesOf(node: unknown): Node[] {
  if (Array.isArray(node)) return node.flatMap(nodesOf);
  if (!isNode(node)) return [];
  const isNamed = node['computed'] === false;
  const inner = Object.entries(node).filter(([key]) => !(isNamed && (key === 'property' || key === 'key')));
  return [node, ...inner.flatMap(([, value]) => nodesOf(value))];
}

/** Returns a path below src/, a module of Node, or the name of a package. */
function resolve(importer: string, specifier: string): string {
  const name = specifier.replace(/^(?:worker|packed):/, '');
  if (name.startsWith('src/')) return name.slice('src/'.length);
  if (name.startsWith('.')) return path.posix.join(path.posix.dirname(importer), name);
  return name.startsWith('node:') ? name : name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

interface Rule {
  importer: string;
  targets: string[];
  /** The comment above the rule states its reason and the remedy. */
  reason: string;
}

function readArrows(text: string): { rules: Rule[]; owners: Map<string, string[]> } {
  const allRules: Rule[] = [];
  const allOwners = new Map<string, string[]>();
  let reason: string[] = [];
  let isGroup = false;
  for (const line of text.split('\n')) {
    const [name = '', arrow, ...names] = line.startsWith('#') ? [] : line.split(/ +/);
    if (arrow === '->') allRules.push({ importer: name, targets: names, reason: reason.join(' ') });
    if (arrow === '<-') allOwners.set(name, names);
    // A comment explains the rules up to the next comment or blank line.
    if (line === '' || (line.startsWith('#:') && isGroup)) reason = [];
    if (line.startsWith('#:')) reason.push(line.slice(2).trim());
    isGroup = arrow !== undefined;
  }
  return { rules: allRules, owners: allOwners };
}

/** Describes a violation such as `a.ts -> b.ts` with its rule. */
function explain(violation: string): string {
  const [importer = '', target = ''] = violation.split(' -> ');
  const start = `src/${importer} imports ${target}, which src/arrows.txt forbids.`;
  const owner = owners.get(target);
  if (owner?.includes(importer) === false) return `${start}\n  rule: only ${owner.join(', ')} imports ${target}`;
  const rule = rules.find(candidate => matches(candidate.importer, importer));
  if (rule === undefined) return `${start}\n  rule: none for this file; move it into a folder that has one, or add one`;
  const reason = rule.reason === '' ? '' : `\n  reason: ${rule.reason}`;
  return `${start}\n  rule: ${rule.importer}${reason}\n  allowed: ${rule.targets.join(' ')}`;
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

/** Returns the files that import themselves indirectly, grouped by cycle. */
function cycles(among: readonly Import[]): string[] {
  const targets = new Map<string, string[]>();
  for (const { importer, target } of among) targets.set(importer, [...(targets.get(importer) ?? []), target]);
  const reach = new Map(Array.from(targets.keys(), file => [file, reachedFrom(file, targets)]));
  const inCycle = [...targets.keys()].filter(file => reach.get(file)?.has(file));
  const groups = inCycle.map(file =>
    inCycle.filter(other => reach.get(file)?.has(other) && reach.get(other)?.has(file)),
  );
  return [...new Set(groups.map(group => `cycle: ${group.sort().join(' ')}`))];
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
