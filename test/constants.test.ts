import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** These modules start a program or a thread when they are loaded. */
const programs = /^main\.ts$|(?:converter|line)-thread\.ts$/;
const declaration = /^(?:export )?const (?:(\w+)(?:: [^=]+)? = (?!.*=>$)|\[([\w, ]+)\] = )/gm;

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts') && !file.endsWith('.d.ts') && !programs.test(file))
  .sort();
/** Each part has its own file of approved values, because the tests of a deleted toolset are deleted too. */
const partOf = (file: string): string => /^(?:toolsets\/)?[^/]+(?=\/)/.exec(file)?.[0].replace('/', '-') ?? 'main';
const parts = [...new Set(files.map(partOf))];

test.each(parts)('the limits, sizes, weights and number tables in %s equal the approved values', async part => {
  const lists: string[] = [];
  for (const file of files.filter(name => partOf(name) === part)) {
    const declared = [...readFileSync(`src/${file}`, 'utf8').matchAll(declaration)];
    const names = declared.flatMap(([, name, list = '']) => (name === undefined ? list.split(', ') : [name]));
    if (names.length === 0) continue;
    const values: Record<string, unknown> = await import(/* @vite-ignore */ `../src/${file}?constants=${names.join()}`);
    const lines = names.flatMap(name => listed(name, values[name]));
    if (lines.length > 0) lists.push(`${file}\n${lines.join('\n')}\n`);
  }
  await expect(lists.join('\n')).toMatchFileSnapshot(`approved/constants/${part}.txt`);
});

/** Returns one line of text for a number, or for a table that contains numbers. */
function listed(name: string, value: unknown): string[] {
  const text = JSON.stringify(value, plain) ?? '';
  const hasNumbers = /(?:^|[[:,])-?\d/.test(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'));
  // The limits of arguments are excluded, because the published schemas in tools.json contain them.
  if (!hasNumbers || text.includes('"kind":"schema"') || text.includes('"instructions":')) return [];
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return [
    `  ${name} = ${text.length <= 1000 ? text : `${text.slice(0, 200)}… ${text.length} characters, hash ${hash}`}`,
  ];
}

function plain(_key: string, value: unknown): unknown {
  if (value instanceof Map || value instanceof Set) return [...value];
  if (value instanceof Uint8Array || value instanceof Uint16Array || value instanceof Uint32Array) return [...value];
  return typeof value === 'bigint' ? Number(value) : value;
}
