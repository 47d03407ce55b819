// @ts-check
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { bundle } from './bundle.mjs';

/**
 * @typedef {{ reader: string, case: string, bytes: number, perMegabyte: number[], growth: number, isLinear: boolean }} Measurement
 * @typedef {{ unread: string[] }} Summary
 */

/**
 * Runs the measurement in a separate process, whose CPU time is then the CPU time of the readers.
 * @param {string[]} args
 * @param {(line: Measurement | Summary) => void} onLine
 * @returns {Promise<number | null>} the exit code
 */
export async function pump(args, onLine) {
  const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-pump-'));
  try {
    const outfile = path.join(folder, 'pump.cjs');
    await bundle({ code: entry(), outfile });
    const child = spawn(process.execPath, [outfile, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    createInterface(child.stdout).on('line', line => onLine(JSON.parse(line)));
    return await new Promise(resolve => child.once('close', code => resolve(code)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Imports the readers of the core, and those next to the tests of a library or toolset. */
function entry() {
  const parts = ['test', 'test/toolsets'].flatMap(folder => readdirSync(folder).map(name => `${folder}/${name}/pump`));
  const folders = ['test/fuzz/pump/readers', ...parts.filter(folder => folder !== 'test/fuzz/pump')];
  const files = folders.flatMap(folder =>
    existsSync(folder) ? readdirSync(folder).map(name => `${folder}/${name}`) : [],
  );
  return [
    `import { runPump } from './test/fuzz/pump/run.ts';`,
    ...files.map((file, index) => `import { readers as readers${index} } from './${file}';`),
    `void runPump([${files.map((_, index) => `...readers${index}`).join(', ')}]);`,
  ].join('\n');
}

/** @param {string} [filter] */
export async function printPumpTable(filter = '') {
  let [count, failed] = [0, 0];
  console.log('CPU s/MB at      n       2n       4n   growth         n  case');
  const code = await pump(['exact', filter], line => {
    if ('unread' in line) {
      for (const part of line.unread) console.log(`no case reads ${part}`);
      failed += line.unread.length;
      return;
    }
    const { reader, case: name, bytes, perMegabyte, growth, isLinear } = line;
    const columns = perMegabyte.map(value => value.toFixed(3).padStart(8)).join(' ');
    const mark = isLinear ? ' ' : '!';
    console.log(
      `${mark}        ${columns} ${growth.toFixed(2).padStart(8)} ${String(bytes).padStart(9)}  ${reader}: ${name}`,
    );
    count++;
    if (!isLinear) failed++;
  });
  console.log(`${count} cases, ${failed} failures`);
  return code === 0 && failed === 0 ? 0 : 1;
}
