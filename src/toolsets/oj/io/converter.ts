import { memoize } from '../../../async/memoize.ts';
import { isResourceShortage } from '../../../errors/system-error.ts';
import type { CallContext } from '../../../toolset/toolset.ts';
import type { Problem } from '../model/problem.ts';
import type { ProblemSample } from '../model/sample.ts';
import { maxTextBytes } from '../settings.ts';
import type { ConverterJob } from './converter-thread.ts';

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
  const page: ConverterJob = { content, link: link ?? undefined, maxBytes: maxTextBytes };
  if (content.length <= maxInlineLength) return statementMarkdown(content, page.link, maxTextBytes, report);
  const { convertStatementInThread } = await import('./converter-pool.ts');
  const converted = await convertStatementInThread(page, signal).catch(undefinedIfOutOfResources);
  signal.throwIfAborted();
  if (converted === undefined) return statementPlainText(content);
  converted.bugs.forEach(report);
  return converted.markdown;
}

export async function extractStatementSamples(content: string): Promise<ProblemSample[]> {
  const { readSamples } = await loadConverter();
  return readSamples(content);
}

/**
 * Returns undefined after two expected errors: the worker exceeded its memory limit, or the system could not start a
 * thread.
 */
function undefinedIfOutOfResources(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY' && !isResourceShortage(error)) throw error;
}
