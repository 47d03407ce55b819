import type { MessagePort } from 'node:worker_threads';
import { createFileTypeTable } from '../../../documents/file-type.ts';
import { CharacterFoldTable } from '../match/fold.ts';
import { preparePhrase } from '../match/needle.ts';
import type { TrigramSignature } from '../match/trigrams.ts';
import { type FileReadResult, type FileReadTask, SearchedFileReader } from './read-file.ts';
import {
  createReaderAnswer,
  fileStatuses,
  pathSeparator,
  type ReaderAnswer,
  type ReaderJobMessage,
  sharedMemoryFields,
  statFieldCount,
} from './reader-job.ts';

/** A worker returns its job after this time even if the job is incomplete, so that other calls get the worker. */
const sliceMs = 12;

/**
 * Starts a worker thread that reads files. It stores the index of the current file in the shared memory `state`, so that
 * the pool can end a worker that takes too long.
 */
export function startReaderThread(port: MessagePort, state: Int32Array): void {
  const reader = new Reader(state);
  const reply = async (job: ReaderJobMessage): Promise<void> => port.postMessage(await reader.work(job));
  port.on('message', (job: ReaderJobMessage) => void reply(job));
}

class Reader {
  readonly #state: Int32Array;
  readonly #folds = new CharacterFoldTable();
  readonly #reading: SearchedFileReader;

  constructor(state: Int32Array) {
    this.#state = state;
    this.#reading = new SearchedFileReader(createFileTypeTable(), () =>
      Atomics.store(state, sharedMemoryFields.isUnguarded, 1),
    );
  }

  async work(job: ReaderJobMessage): Promise<ReaderAnswer> {
    const paths = job.paths === '' ? [] : job.paths.split(pathSeparator);
    if (job.kind === 'describe') return await this.#describe(paths[0]);
    let answer = this.#run(job, paths);
    if (this.#reading.isParserMissing) {
      // Each thread loads the document parsers once, when it reads the first document. The files of the job are then
      // read again.
      await this.#reading.loadParser();
      answer = this.#run(job, paths);
    }
    // The collector leaves out most words that it has returned before. If the job runs twice, the words are therefore
    // taken after the second run.
    return { ...answer, newWords: this.#reading.newWords.take() };
  }

  #run(job: ReaderJobMessage, paths: readonly string[]): ReaderAnswer {
    return job.kind === 'excerpt' ? this.#excerpts(job, paths) : this.#readAll(job, paths);
  }

  get #isStopped(): boolean {
    return Atomics.load(this.#state, sharedMemoryFields.isStopped) === 1;
  }

  #beginFile(index: number): void {
    Atomics.store(this.#state, sharedMemoryFields.isUnguarded, 0);
    Atomics.store(this.#state, sharedMemoryFields.position, index);
  }

  async #describe(path: string | undefined): Promise<ReaderAnswer> {
    this.#beginFile(0);
    if (path === undefined) return createReaderAnswer(0);
    return { ...createReaderAnswer(1), description: await this.#reading.describe(path) };
  }

  #excerpts({ allowedRoot, phrases, texts }: ReaderJobMessage, paths: readonly string[]): ReaderAnswer {
    const found = paths.map((path, index) => {
      this.#beginFile(index);
      return this.#isStopped ? undefined : this.#reading.excerpt(path, allowedRoot, phrases, texts?.[index]);
    });
    return { ...createReaderAnswer(paths.length), excerpts: found };
  }

  #readAll(
    { allowedRoot, phrases, terms, texts: known, isSigning }: ReaderJobMessage,
    paths: readonly string[],
  ): ReaderAnswer {
    const task: FileReadTask = {
      allowedRoot,
      needles: phrases.map(phrase => preparePhrase(phrase, this.#folds)),
      terms,
      isSigning,
    };
    const answer = createReaderAnswer(paths.length);
    const signatures: TrigramSignature[] = [];
    const texts: Buffer[] = [];
    const started = performance.now();
    answer.done = 0;
    for (const [index, path] of paths.entries()) {
      if (this.#isStopped) break;
      if (index > 0 && (index & 3) === 0 && performance.now() - started > sliceMs) break;
      this.#beginFile(index);
      const result = this.#reading.read(path, task, known?.[index]);
      if (this.#reading.isParserMissing) break;
      setResult(answer, index, result);
      if (result.signature !== undefined) signatures.push(result.signature);
      if (result.text !== undefined) texts.push(result.text);
      answer.done = index + 1;
    }
    answer.signatures = Buffer.concat(signatures);
    answer.texts = Buffer.concat(texts);
    return answer;
  }
}

function setResult(
  answer: ReaderAnswer,
  index: number,
  { status, stat, signature, text, isPartly, words }: FileReadResult,
): void {
  answer.statuses[index] = fileStatuses.indexOf(status);
  if (stat !== undefined) answer.stats.set([stat.mtimeMs, stat.ctimeMs, stat.size, stat.ino], index * statFieldCount);
  answer.signatureLengths[index] = signature?.length ?? 0;
  answer.textLengths[index] = text?.length ?? 0;
  answer.partly[index] = isPartly === true ? 1 : 0;
  answer.qualities[index] = words?.qualities ?? 0;
  answer.closeness[index] = words?.closeness ?? 0;
}
