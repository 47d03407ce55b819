import { plainStatement, statementMarkdown } from '../../../statement/index.ts';

/** Packed once, for the thread and for who starts it. */
export { plainStatement, statementMarkdown };

export interface ConverterJob {
  readonly content: string;
  readonly link: string | undefined;
  readonly maxBytes: number;
}

export interface Converted {
  readonly markdown: string;
  readonly bugs: readonly unknown[];
}

/** What the thread does. The server's own start and first call do without Node's module for threads, 1.5 ms and 2 MiB. */
export async function answerJob(): Promise<void> {
  const { parentPort, workerData } = await import('node:worker_threads');
  const { content, link, maxBytes }: ConverterJob = workerData;
  const bugs: unknown[] = [];
  const markdown = statementMarkdown(content, link, maxBytes, bug => bugs.push(bug));
  parentPort?.postMessage({ markdown, bugs } satisfies Converted);
}
