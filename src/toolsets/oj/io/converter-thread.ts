import { statementMarkdown, statementPlainText } from '../../../statement/index.ts';
import { readSamples, type SamplePair } from '../../../statement/samples.ts';

/** The worker thread and the main thread share this module, so that the bundle contains the converter only once. */
export { readSamples, statementMarkdown, statementPlainText };

export interface ConverterJob {
  readonly content: string;
  readonly link: string | undefined;
  readonly maxBytes: number;
  /** If true, the thread returns only the samples of the statement. */
  readonly wantsSamples: boolean;
}

export interface ConversionResult {
  readonly markdown: string;
  readonly samples: SamplePair[] | undefined;
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

function convert({ content, link, maxBytes, wantsSamples }: ConverterJob): ConversionResult {
  const bugs: unknown[] = [];
  if (wantsSamples) return { markdown: '', samples: readSamples(content), bugs };
  return { markdown: statementMarkdown(content, link, maxBytes, bug => bugs.push(bug)), samples: undefined, bugs };
}
