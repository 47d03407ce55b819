// @ts-check
import { rewrite } from './rewrite.mjs';

/** The server of the SDK creates this object for its property `experimental`, which is not used. It costs 2 KB. */
export const withoutTasks = rewrite(
  'without-tasks',
  'sdk/dist/esm/experimental/tasks/server.js',
  () => 'export class ExperimentalServerTasks {}',
);
