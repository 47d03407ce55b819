import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { serverFlags } from '../src/settings.ts';
import type { Toolset } from '../src/toolset.ts';
import * as toolsets from '../src/toolsets/index.ts';
import { connect } from './support/client.ts';

const all: readonly Toolset[] = Object.values(toolsets);

describe('all toolsets together', () => {
  test('have names of their own', async () => {
    const tools = await Promise.all(all.map(toolset => toolset.tools()));
    for (const names of [all.map(({ name }) => name), tools.flat().map(({ name }) => name)]) {
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('have flags of their own', () => {
    const flags = [serverFlags, ...all.map(toolset => toolset.flags)].flatMap(Object.keys);
    expect(new Set([...flags, 'help', 'version']).size).toBe(flags.length + 2);
  });
});

describe.each(all)('toolset $name', toolset => {
  test('shows clients exactly the tools under review in its tools.json', async () => {
    const { client } = await connect({ toolsets: [toolset], isDemo: true });
    const { tools: listed } = await client.listTools();
    const file = new URL(`toolsets/${toolset.name}/tools.json`, import.meta.url);
    await expect(`${JSON.stringify(listed, null, 2)}\n`).toMatchFileSnapshot(file.pathname);
  });

  test('takes less than 6 KB of the list and less than 1,500 characters a description', async () => {
    const { client } = await connect({ toolsets: [toolset], isDemo: true });
    const { tools: listed } = await client.listTools();
    for (const { description } of listed) expect(description?.length).toBeLessThan(1500);
    expect(JSON.stringify(listed).length).toBeLessThan(toolset.isDefault ? 6000 : 22_000);
    expect(toolset.instructions.length).toBeLessThan(1500);
  });

  test('has schemas every host accepts: no lists of types, no null, nothing unknown let in', async () => {
    const { client } = await connect({ toolsets: [toolset], isDemo: true });
    const { tools: listed } = await client.listTools();
    for (const { inputSchema } of listed) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(JSON.stringify(inputSchema)).not.toMatch(/"type":\[|"null"|\$ref|\$schema/);
    }
  });
});

test('no toolset is known outside its folder', () => {
  const index = readFileSync(new URL('../src/toolsets/index.ts', import.meta.url), 'utf8');
  for (const { name } of all) {
    expect(index).toContain(`export { ${name} } from './${name}/index.ts';\n`);
    expect(existsSync(new URL(`toolsets/${name}`, import.meta.url))).toBe(true);
  }
});
