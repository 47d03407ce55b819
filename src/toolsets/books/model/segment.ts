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

export function checkpointName(segment: number): string {
  return `${digits(segment)}.jsonl.gz`;
}

export function checkpointNumber(name: string): number | undefined {
  const match = /^(\d{12})\.jsonl\.gz$/.exec(name);
  return match === null ? undefined : Number(match[1]);
}

function digits(number: number): string {
  return String(number).padStart(12, '0');
}
