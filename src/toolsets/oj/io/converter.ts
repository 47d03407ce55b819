import { AtOnce } from '../../../async/concurrency.ts';
import { lazily } from '../../../async/memoize.ts';
import { isNoThreadLeft } from '../../../errors/system-error.ts';
import type { Call } from '../../../toolset/toolset.ts';
import type { Problem } from '../model/problem.ts';
import { maxTextBytes } from '../settings.ts';
import type { Converted, ConverterJob } from './converter-thread.ts';

/** A longer page, which hardly any statement is, would hold up pings; a thread costs 50 ms, and goes with all its memory. */
const maxLengthHere = 208 * 1024;
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 56 };
const threads = new AtOnce(1);

/** The heavy part of the program: the first call is early enough to load it. Each `import()` would copy its exports. */
const loadConverter = lazily(async () => await import('packed:src/toolsets/oj/io/converter-thread.ts'));

/** Loads the converter and lets it see a page, so that the first statement finds it warm. */
export const warmConverter = lazily(async (): Promise<void> => {
  const { statementMarkdown } = await loadConverter();
  statementMarkdown(smallPage, undefined);
});

/** What most statements consist of. */
const smallPage =
  '<p>Given <code>n</code> and <b>k</b>, 1 &lt;= n &lt;= 10<sup>5</sup>:</p><pre>1 2</pre><ul><li>a<sub>i</sub></li></ul>';

/** The statement of a problem as Markdown, as much of it as an answer holds. */
export async function convertStatement(
  { content, link }: Pick<Problem, 'content' | 'link'>,
  { signal, report }: Pick<Call, 'signal' | 'report'>,
): Promise<string> {
  if (content === null || content === undefined) return '';
  const { plainStatement, statementMarkdown } = await loadConverter();
  const page: ConverterJob = { content, link: link ?? undefined, maxBytes: maxTextBytes };
  if (content.length <= maxLengthHere) return statementMarkdown(content, page.link, maxTextBytes, report);
  const converted = await threads.take(signal, async () => await convertInThread(page, signal).catch(onlyNoRoom));
  signal.throwIfAborted();
  if (converted === undefined) return plainStatement(content);
  converted.bugs.forEach(report);
  return converted.markdown;
}

/** The page needs more memory than a thread has, or there is nothing left for a thread. */
function onlyNoRoom(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY' && !isNoThreadLeft(error)) throw error;
}

/** Undefined for a thread that ended without a word. */
async function convertInThread(workerData: ConverterJob, signal: AbortSignal): Promise<Converted | undefined> {
  const { Worker } = await import('node:worker_threads');
  const { default: source } = await import('worker:./converter-thread.ts');
  const options = { eval: true, workerData, resourceLimits, stdout: true, stderr: true };
  const worker = new Worker(`${source}\nmodule.exports.answerJob();`, options);
  worker.unref();
  const stop = (): void => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('exit', () => resolve(undefined));
      worker.once('error', reject);
    });
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
