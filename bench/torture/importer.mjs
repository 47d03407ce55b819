// Imports a folder into its own book again and again, and kills some of the imports. Only one runs at a time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const importedBook = 'imported-book';
const bundle = path.join(import.meta.dirname, '../../dist/oj-mcp.cjs');
const pageCount = 24;
/** About one of five imports completes, so that later imports find edited pages. */
const killedWithin = 1.25;

export function newImporter(folder) {
  let version = 0;
  let isRunning = false;
  /** The time that the last complete import took to write its pages. */
  let writingMs = 0;
  const pages = new Map();
  const edit = () => {
    version++;
    mkdirSync(folder, { recursive: true });
    for (let number = 1; number <= pageCount; number++) {
      if (version > 1 && Math.random() < 0.5) continue;
      pages.set(`page-${number}.md`, `# Page ${number}\nVersion ${version}\n`);
    }
    for (const [name, text] of pages) writeFileSync(path.join(folder, name), text);
  };

  const run = async (plan, killAfterMs) => {
    const args = ['--books-root', plan.root, '--books-import', folder, '--book', importedBook, '--yes'];
    const env = { PATH: process.env.PATH, ...plan.env };
    const child = spawn(process.execPath, [bundle, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
    let errors = '';
    child.stderr.on('data', data => {
      errors += data;
    });
    let timer;
    let printedAt = Number.NaN;
    const exited = once(child, 'exit');
    // The timer starts when the plan is printed, before the first write. Otherwise most imports would be killed during
    // their start.
    child.stdout.once('data', () => {
      printedAt = performance.now();
      if (killAfterMs !== undefined) timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      child.stdout.resume();
    });
    const [code, signal] = await exited;
    clearTimeout(timer);
    if (code === 0) writingMs = performance.now() - printedAt;
    return { code, signal, errors };
  };

  return {
    pages,
    /**
     * Runs one import and kills it after a random time. Returns whether it was killed, or undefined if another import
     * runs.
     */
    async tryOnce(plan) {
      if (isRunning) return undefined;
      isRunning = true;
      try {
        // After an interrupted import, the same folder is imported again, as a user would do.
        if (version === 0) edit();
        const killAfterMs = version === 1 && writingMs === 0 ? undefined : Math.random() * killedWithin * writingMs;
        const { code, signal } = await run(plan, killAfterMs);
        if (code === 0) edit();
        return signal !== null;
      } finally {
        isRunning = false;
      }
    },

    /** Runs the last import to its end. */
    async finish(plan) {
      if (version === 0) edit();
      const { code, errors } = await run(plan);
      return code === 0 ? [] : [`the last import failed with ${code}: ${errors.slice(-300)}`];
    },
  };
}
