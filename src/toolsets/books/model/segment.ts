/**
 * How a journal is kept, the same in folders and buckets: numbered segments, in their order one journal, and beside them
 * checkpoints that say what is known after one of them. The one file of the first days counts as number 0.
 */
export const journalFolder = 'journal';
export const stateFolder = 'state';
export const firstJournalName = 'journal.jsonl';

export function segmentName(number: number): string {
  return `${digits(number)}.jsonl`;
}

/** undefined for whatever else lies in the same folder. */
export function segmentNumber(name: string): number | undefined {
  const match = /^(\d{12})\.jsonl$/.exec(name);
  return match === null ? undefined : Number(match[1]);
}

/** The numbers of the segments among names, in their order. */
export function segmentNumbers(names: readonly string[]): number[] {
  const numbers = names.map(segmentNumber).filter(number => number !== undefined);
  return numbers.sort((one, other) => one - other);
}

export function checkpointName(segment: number): string {
  return `${digits(segment)}.jsonl.gz`;
}

/** The numbers of the segments that have a checkpoint among names, the latest first. */
export function checkpointNumbers(names: readonly string[]): number[] {
  const numbers = names.map(name => /^(\d{12})\.jsonl\.gz$/.exec(name)).filter(match => match !== null);
  return numbers.map(([, number]) => Number(number)).sort((one, other) => other - one);
}

function digits(number: number): string {
  return String(number).padStart(12, '0');
}
