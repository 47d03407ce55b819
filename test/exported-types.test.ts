import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The types `Context` and `Settings` are excluded, because each toolset declares its own. */
const allowed = new Set(['Context', 'Settings']);

test('no exported type name is declared in two files of src/', () => {
  const files = new Map<string, string[]>();
  for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const source = readFileSync(`src/${file}`, 'utf8');
    for (const [, name = ''] of source.matchAll(/^export (?:declare )?(?:interface|type|class|enum) (\w+)/gm)) {
      files.set(name, [...(files.get(name) ?? []), file]);
    }
  }
  const twice = [...files].filter(([name, places]) => places.length > 1 && !allowed.has(name));
  expect(twice).toEqual([]);
});
