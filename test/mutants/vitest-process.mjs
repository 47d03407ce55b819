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
  const specifications = (await vitest.globTestSpecifications(files)).filter(({ moduleId }) => {
    const name = path.relative(root, moduleId);
    // The filters of vitest are parts of names, so that the name of a file can select another file too.
    return files.length === 0 || files.some(file => (file.endsWith('.test.ts') ? name === file : name.includes(file)));
  });
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications);
  send({ isEnd: true, errorCount: unhandledErrors.length });
}
