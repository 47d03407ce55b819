import { plainStatement, statementMarkdown } from '../../../statement/index.ts';
import { readSamples } from '../../../statement/samples.ts';

/** Embedded once: the worker thread and the main thread share this module. */
export { plainStatement, readSamples, statementMarkdown };

export interface ConverterJob {
  readonly content: string;
  readonly link: string | undefined;
  readonly maxBytes: number;
}

export interface Converted {
  readonly markdown: string;
  readonly bugs: readonly unknown[];
}

/** Entry point of the worker. The import is dynamic because node:worker_threads costs the main thread 1.5 ms and 2 MiB. */
export async function answerJob(): Promise<void> {
  const { parentPort, workerData } = await import('node:worker_threads');
  const { content, link, maxBytes }: ConverterJob = workerData;
  const bugs: unknown[] = [];
  const markdown = statementMarkdown(content, link, maxBytes, bug => bugs.push(bug));
  parentPort?.postMessage({ markdown, bugs } satisfies Converted);
}
