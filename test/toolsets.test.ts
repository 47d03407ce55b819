import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { modeFlags } from '../src/cli/argv.ts';
import { serverFlags } from '../src/cli/settings.ts';
import type { Toolset } from '../src/toolset/toolset.ts';
import * as toolsets from '../src/toolsets/index.ts';
import { connect } from './support/client.ts';

const all: readonly Toolset[] = Object.values(toolsets);

describe('all toolsets together', () => {
  test('have names of their own', async () => {
    const tools = await Promise.all(all.map(async toolset => (await toolset.load()).tools));
    for (const names of [all.map(({ name }) => name), tools.flat().map(({ name }) => name)]) {
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('leave the notes of an answer to the server', async () => {
    const tools = await Promise.all(all.map(async toolset => (await toolset.load()).tools));
    expect(JSON.stringify(tools.flat().map(({ output }) => output))).not.toContain('"notes"');
  });

  test('have flags of their own', () => {
    const flags = [serverFlags, ...all.map(toolset => toolset.flags)].flatMap(Object.keys);
    expect(new Set([...flags, ...Object.keys(modeFlags)]).size).toBe(flags.length + Object.keys(modeFlags).length);
  });
});

/** Each toolset as it comes, and with each switch that adds tools: the published file of that, and how large the list may be. */
const lists = all.map(async toolset => {
  const { tools } = await toolset.load();
  const switches = [...new Set(tools.flatMap(({ onlyWith }) => (onlyWith === undefined ? [] : [onlyWith])))];
  const maxBytes = toolset.isDefault ? 6000 : 25_000;
  return [
    { toolset, values: {}, file: `toolsets/${toolset.name}/tools.json`, maxBytes },
    ...switches.map(name => ({
      toolset,
      values: { [name]: true } as const,
      file: `toolsets/${toolset.name}/tools.${name}.json`,
      maxBytes: maxBytes + 3000,
    })),
  ];
});
const published = (await Promise.all(lists)).flat();

describe.each(published)('the tools in $file', ({ toolset, values, file, maxBytes }) => {
  const list = async () => {
    const { client } = await connect({ toolsets: [toolset], values, isDemo: true });
    return (await client.listTools()).tools;
  };

  test('are exactly what clients see', async () => {
    const { pathname } = new URL(file, import.meta.url);
    await expect(`${JSON.stringify(await list(), null, 2)}\n`).toMatchFileSnapshot(pathname);
  });

  test('take little room, and less than 1,500 characters a description', async () => {
    const listed = await list();
    for (const { description } of listed) expect(description?.length).toBeLessThan(1500);
    expect(JSON.stringify(listed).length).toBeLessThan(maxBytes);
    expect(toolset.instructions.length).toBeLessThan(1500);
  });
});

test('a tool that waits for a switch waits for one of its own toolset', async () => {
  for (const toolset of all) {
    const waiting = (await toolset.load()).tools.flatMap(({ onlyWith }) => (onlyWith === undefined ? [] : [onlyWith]));
    expect(waiting.map(name => toolset.flags[name]?.type)).toEqual(waiting.map(() => 'boolean'));
  }
});

test('no toolset is known outside its folder', () => {
  const index = readFileSync(new URL('../src/toolsets/index.ts', import.meta.url), 'utf8');
  for (const { name } of all) {
    expect(index).toContain(`export { ${name} } from './${name}/index.ts';\n`);
    expect(existsSync(new URL(`toolsets/${name}`, import.meta.url))).toBe(true);
  }
});
