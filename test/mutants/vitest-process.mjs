// @ts-check
// A process with a vitest that stays ready and keeps the transformed sources: its parent sends test files, and it answers
// with their results. The tests of each request run in new processes, which load the sources with the active mutant.
import path from 'node:path';
import { createVitest } from 'vitest/node';

/** @typedef {{ file: string, isGood: boolean, ms: number }} FileResult */
/** @typedef {{ files: string[], bail: number, isolate: boolean }} Request */

const root = process.cwd();
/** @type {(message: object) => void} */
const send = message => void process.send?.(message);

/** @type {import('vitest/node').Reporter} */
const reporter = {
  onTestModuleEnd(module) {
    const isGood = module.state() !== 'failed' && module.errors().length === 0;
    const { duration, collectDuration, setupDuration, prepareDuration, environmentSetupDuration } = module.diagnostic();
    const ms = duration + collectDuration + setupDuration + prepareDuration + environmentSetupDuration;
    send({ file: path.relative(root, module.moduleId), isGood, ms });
  },
};
const vitest = await createVitest('test', {
  config: path.join(import.meta.dirname, 'vitest.config.ts'),
  root,
  project: ['all'],
  watch: false,
  // A mutant must not write an approved file.
  update: 'none',
  reporters: [reporter],
});

/** @type {(request: any) => void} */
const onRequest = request => void run(request);
process.on('message', onRequest);

/** @param {Request} request */
async function run({ files, bail, isolate }) {
  for (const { config } of [vitest, ...vitest.projects]) Object.assign(config, { bail, isolate });
  const all = await vitest.globTestSpecifications(files);
  const wanted = new Set(files.map(file => path.resolve(file)));
  // The filters of vitest are parts of names. Folders and parts are used only without exact files.
  const exact = all.filter(({ moduleId }) => wanted.has(moduleId));
  const { unhandledErrors } = await vitest.runTestSpecifications(exact.length > 0 ? exact : all);
  send({ isEnd: true, errors: unhandledErrors.map(String) });
}
