import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Target } from './target.ts';

/** Returns the files that define targets: those of the core, and those next to the tests of a library or toolset. */
export function targetFiles(): string[] {
  const parts = ['test', 'test/toolsets'].flatMap(folder => subfolders(folder).map(name => `${folder}/${name}/fuzz`));
  const folders = ['test/fuzz/targets', ...parts];
  return folders.flatMap(folder => (existsSync(folder) ? namesIn(folder).map(name => `${folder}/${name}`) : []));
}

function subfolders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => (entry.isDirectory() ? [entry.name] : []));
}

function namesIn(folder: string): string[] {
  return readdirSync(folder).toSorted();
}

/** Returns the folder with minimised inputs that made a target fail. Each input is a regression test. */
export function regressionFolder(target: string): string {
  return path.join('test/fuzz/regressions', target);
}

/** Returns the starting inputs of a target: its corpus and its regressions. */
export function startingInputs({ name, corpus }: Target): Buffer[] {
  const folder = regressionFolder(name);
  const regressions = existsSync(folder) ? namesIn(folder).map(file => readFileSync(path.join(folder, file))) : [];
  return [...corpus.map(input => Buffer.from(input)), ...regressions];
}
