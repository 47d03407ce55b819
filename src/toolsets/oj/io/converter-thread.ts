import { statementMarkdown, statementPlainText } from '../../../statement/index.ts';
import { readSamples } from '../../../statement/samples.ts';

/** The worker thread and the main thread share this module, so that the bundle contains the converter only once. */
export { readSamples, statementMarkdown, statementPlainText };

export interface ConverterJob {
  readonly content: string;
  readonly link: string | undefined;
  readonly maxBytes: number;
}

export interface ConversionResult {
  readonly markdown: string;
  readonly bugs: readonly unknown[];
}

/**
 * The entry point of the worker thread. The import is dynamic, because node:worker_threads costs the main thread 1.5 ms
 * and 2 MiB.
 */
export async function runConverterJobs(): Promise<void> {
  const { parentPort } = await import('node:worker_threads');
  parentPort?.on('message', (job: ConverterJob) => parentPort.postMessage(convert(job)));
}

function convert({ content, link, maxBytes }: ConverterJob): ConversionResult {
  const bugs: unknown[] = [];
  return { markdown: statementMarkdown(content, link, maxBytes, bug => bugs.push(bug)), bugs };
}
