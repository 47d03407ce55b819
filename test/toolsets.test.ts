import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { programModeFlags } from '../src/cli/argv.ts';
import { serverFlags } from '../src/cli/settings.ts';
import type { Toolset } from '../src/toolset/toolset.ts';
import * as toolsets from '../src/toolsets/index.ts';
import { connect } from './support/client.ts';

const all: readonly Toolset[] = Object.values(toolsets);

describe('all toolsets together', () => {
  test('have unique toolset names and tool names', async () => {
    const tools = await Promise.all(all.map(async toolset => (await toolset.load()).tools));
    for (const names of [all.map(({ name }) => name), tools.flat().map(({ name }) => name)]) {
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('do not declare notes in result schemas, because the server adds them', async () => {
    const tools = await Promise.all(all.map(async toolset => (await toolset.load()).tools));
    expect(JSON.stringify(tools.flat().map(({ output }) => output))).not.toContain('"notes"');
  });

  test('have unique flags', () => {
    const flags = [serverFlags, ...all.map(toolset => toolset.flags)].flatMap(Object.keys);
    expect(new Set([...flags, ...Object.keys(programModeFlags)]).size).toBe(
      flags.length + Object.keys(programModeFlags).length,
    );
  });
});

/**
 * Each entry is a toolset with its default tools, or with a flag that adds tools. Its published tools are in a file and
 * have a size limit.
 */
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
      // A flag adds about three tools. The arguments of a large toolset that is not enabled by default are longer.
      maxBytes: maxBytes + (toolset.isDefault ? 3000 : 4500),
    })),
  ];
});
const published = (await Promise.all(lists)).flat();

describe.each(published)('the published tools in $file', ({ toolset, values, file, maxBytes }) => {
  const list = async () => {
    const { client } = await connect({ toolsets: [toolset], values, isDemo: true });
    return (await client.listTools()).tools;
  };

  test('are equal to the result of tools/list', async () => {
    const { pathname } = new URL(file, import.meta.url);
    const remedy =
      'The published schemas have changed. Run npx vitest run test/toolsets.test.ts --update and review the diff.';
    await expect(`${JSON.stringify(await list(), null, 2)}\n`, remedy).toMatchFileSnapshot(pathname);
  });

  test('have descriptions of less than 1,500 characters and stay below the total size limit', async () => {
    const listed = await list();
    for (const { description } of listed) expect(description?.length).toBeLessThan(1500);
    expect(JSON.stringify(listed).length).toBeLessThan(maxBytes);
    expect(toolset.instructions.length).toBeLessThan(1500);
  });
});

test('the property onlyWith of a tool is the name of a boolean flag of its toolset', async () => {
  for (const toolset of all) {
    const waiting = (await toolset.load()).tools.flatMap(({ onlyWith }) => (onlyWith === undefined ? [] : [onlyWith]));
    expect(waiting.map(name => toolset.flags[name]?.type)).toEqual(waiting.map(() => 'boolean'));
  }
});

test('src/toolsets/index.ts has one line for each toolset', () => {
  const index = readFileSync(new URL('../src/toolsets/index.ts', import.meta.url), 'utf8');
  for (const { name } of all) {
    expect(index).toContain(`export { ${name} } from './${name}/index.ts';\n`);
    expect(existsSync(new URL(`toolsets/${name}`, import.meta.url))).toBe(true);
  }
});
