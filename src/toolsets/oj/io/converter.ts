import { memoize } from '../../../async/memoize.ts';
import { isResourceShortage } from '../../../errors/system-error.ts';
import type { CallContext } from '../../../toolset/toolset.ts';
import type { Problem } from '../model/problem.ts';
import type { ProblemSample } from '../model/sample.ts';
import { maxTextBytes } from '../settings.ts';
import type { ConversionResult, ConverterJob } from './converter-thread.ts';

/**
 * A statement with more characters is converted in a worker thread, so that the server can respond to pings at the same
 * time.
 */
const maxInlineLength = 208 * 1024;

/**
 * The result of `import()` is cached, because importing a compressed module of the bundle again copies its exports each
 * time.
 */
const loadConverter = memoize(async () => await import('packed:src/toolsets/oj/io/converter-thread.ts'));

/** Loads the converter and converts a small page, so that V8 has compiled the code before the first statement. */
export const warmUpConverter = memoize(async (): Promise<void> => {
  const { statementMarkdown } = await loadConverter();
  statementMarkdown(smallPage, undefined);
});

/** A page with the HTML elements that most statements use. */
const smallPage =
  '<p>Given <code>n</code> and <b>k</b>, 1 &lt;= n &lt;= 10<sup>5</sup>:</p><pre>1 2</pre><ul><li>a<sub>i</sub></li></ul>';

/** Converts the statement of a problem to Markdown, up to the size limit of a result. */
export async function convertStatement(
  { content, link }: Pick<Problem, 'content' | 'link'>,
  { signal, report }: Pick<CallContext, 'signal' | 'report'>,
): Promise<string> {
  if (content === null || content === undefined) return '';
  const { statementPlainText, statementMarkdown } = await loadConverter();
  const page = { content, link: link ?? undefined, maxBytes: maxTextBytes, wantsSamples: false };
  if (content.length <= maxInlineLength) return statementMarkdown(content, page.link, maxTextBytes, report);
  const converted = await runInThread(page, signal);
  if (converted === undefined) return statementPlainText(content);
  converted.bugs.forEach(report);
  return converted.markdown;
}

/** Returns the samples of a statement, or undefined if it is too long or complex, or the thread runs out of memory. */
export async function extractStatementSamples(
  content: string,
  signal: AbortSignal,
): Promise<ProblemSample[] | undefined> {
  if (content.length <= maxInlineLength) return (await loadConverter()).readSamples(content);
  const job = { content, link: undefined, maxBytes: maxTextBytes, wantsSamples: true };
  return (await runInThread(job, signal))?.samples;
}

/** The promise resolves with undefined if the system has not enough memory or threads for the job. */
async function runInThread(job: ConverterJob, signal: AbortSignal): Promise<ConversionResult | undefined> {
  const { convertStatementInThread } = await import('./converter-pool.ts');
  const result = await convertStatementInThread(job, signal).catch(undefinedIfOutOfResources);
  signal.throwIfAborted();
  return result;
}

/**
 * Returns undefined after two expected errors: the worker exceeded its memory limit, or the system could not start a
 * thread.
 */
function undefinedIfOutOfResources(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY' && !isResourceShortage(error)) throw error;
}
