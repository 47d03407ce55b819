import { type FileStatus, fileStatuses, type ReaderAnswer, statFieldCount } from '../workers/reader-job.ts';
import type { FileTable } from './file-table.ts';
import { type FileIndexState, hasSameTableRow, type TableFile } from './folder.ts';

/**
 * The result for a file that was changed less than this time ago is not cached. File systems store times coarsely, so
 * that another change might not alter the time.
 */
const settledMs = 2100;

/** The index of one file in the response of a worker, and the offsets of its signature and text. */
interface AnswerOffsets {
  index: number;
  signature: number;
  text: number;
}

/** Stores the result of a worker for one file in the table. `sentAt` is the time when the job was sent. */
function storeResult(
  table: FileTable,
  file: TableFile,
  answer: ReaderAnswer,
  offsets: AnswerOffsets,
  sentAt: number,
): FileStatus {
  const isPartly = answer.partly[offsets.index] === 1;
  const status = statusIn(answer, offsets.index, isPartly);
  if (!hasSameTableRow(file)) return status;
  const at = offsets.index * statFieldCount;
  const [mtimeMs = 0, ctimeMs = 0, size = 0, ino = 0] = answer.stats.subarray(at, at + statFieldCount);
  if (ctimeMs === 0 && ino === 0) {
    storeStateWithoutStat(table, file, status);
    return status;
  }
  const stat = { mtimeMs, ctimeMs, size, ino };
  // Search results are sorted by modification time, which may be unknown until the file is read.
  file.mtimeMs = mtimeMs;
  file.folder.setStat(file.index, stat, table.signatures);
  if (sentAt - ctimeMs < settledMs) return status;
  const signature = answer.signatures.subarray(
    offsets.signature,
    offsets.signature + lengthAt(answer.signatureLengths, offsets),
  );
  storeState(table, file, status, signature, isPartly);
  const textLength = lengthAt(answer.textLengths, offsets);
  // The text is copied out of the message, so that the memory of the message can be freed.
  if (textLength > 0)
    table.texts.keep(file.path, { stat, bytes: answer.texts.slice(offsets.text, offsets.text + textLength) });
  return status;
}

function statusIn({ statuses }: ReaderAnswer, index: number, isPartly: boolean): FileStatus {
  const status = fileStatuses[statuses[index] ?? 0] ?? 'gone';
  return isPartly && status === 'read' ? 'partly' : status;
}

function lengthAt(lengths: Uint32Array, { index }: AnswerOffsets): number {
  return lengths[index] ?? 0;
}

/**
 * The stat of the file is unknown, so that a later change could not be detected. The stored state therefore causes the
 * file to be read again.
 */
function storeStateWithoutStat({ signatures }: FileTable, { folder, index }: TableFile, status: FileStatus): void {
  if (status === 'unreadable') folder.setState(index, 'unreadable', signatures);
  else if (status === 'read' && folder.state(index) === 'unknown') folder.setState(index, 'read', signatures);
}

function storeState(
  { signatures }: FileTable,
  { folder, index }: TableFile,
  status: FileStatus,
  signature: Uint8Array,
  isPartly: boolean,
): void {
  if (signature.length > 0 && !signatures.isFull)
    folder.setSignature(index, signatures.add(signature), signatures, isPartly ? 'partly' : 'indexed');
  else if (status === 'binary' || status === 'tooLarge' || status === 'unparsed' || status === 'online')
    folder.setState(index, status, signatures);
  else if (folder.state(index) === 'unknown') folder.setState(index, 'read', signatures);
}

/**
 * Stores the results of a worker for all files of a job. `sentAt` is the time when the job was sent. `onFile` is called
 * for each file after its stat was stored.
 */
export function storeReaderResults(
  table: FileTable,
  files: readonly TableFile[],
  answer: ReaderAnswer,
  sentAt: number,
  onFile: (file: TableFile, status: FileStatus, index: number) => void,
): void {
  table.vocabulary.add(answer.newWords);
  const offsets: AnswerOffsets = { index: 0, signature: 0, text: 0 };
  for (; offsets.index < answer.done; offsets.index++) {
    const file = files[offsets.index];
    if (file !== undefined) onFile(file, storeResult(table, file, answer, offsets, sentAt), offsets.index);
    offsets.signature += answer.signatureLengths[offsets.index] ?? 0;
    offsets.text += answer.textLengths[offsets.index] ?? 0;
  }
}

/** Marks a document that exceeded the CPU limit of the first attempt. It is parsed again after all other files. */
export function markSlowDocument(table: FileTable, file: TableFile): void {
  mark(table, file, 'slow');
}

/** Marks a document that exceeded the CPU limit of the last attempt. It is not read again until it changes. */
export function markUnparsedDocument(table: FileTable, file: TableFile): void {
  mark(table, file, 'unparsed');
}

function mark({ signatures }: FileTable, file: TableFile, state: FileIndexState): void {
  if (!hasSameTableRow(file)) return;
  const { folder, index } = file;
  folder.readStat(index, signatures);
  if (folder.state(index) !== 'gone') folder.setState(index, state, signatures);
}
