import { createHash, type Hash } from 'node:crypto';
import type { EventLoopYielder } from '../../../async/yielder.ts';
import { Audit } from '../model/audit.ts';
import { hashOf } from '../model/hash.ts';
import type { SegmentStore } from './journal-reader.ts';

/** How far the last segment has been verified: a writer may still append to it. */
interface Verified {
  segment: number;
  lines: number;
  digest: Hash;
}

/** Verifies a journal and remembers how far: a later run reads what is new, as long as the rest has not changed. */
export class JournalAuditor {
  #audit = new Audit(hashOf);
  /** By segment, as of its verification. */
  #versions = new Map<number, string>();
  #last: Verified | undefined;

  /** What is wrong with the journal. */
  async run(segments: SegmentStore, yielder: EventLoopYielder, signal: AbortSignal): Promise<string[]> {
    const versions = new Map((await segments.segments(signal)).map(({ number, version }) => [number, version]));
    if (!this.#isPrefixOf(versions) || !(await this.#readOn(segments, versions, yielder, signal))) {
      this.#reset();
      await this.#readOn(segments, versions, yielder, signal);
    }
    this.#versions = versions;
    return this.#audit.problems;
  }

  #reset(): void {
    this.#audit = new Audit(hashOf);
    this.#versions = new Map();
    this.#last = undefined;
  }

  /** Whether all verified segments but the last one are as they were. */
  #isPrefixOf(versions: ReadonlyMap<number, string>): boolean {
    for (const [number, version] of this.#versions) {
      if (number !== this.#last?.segment && versions.get(number) !== version) return false;
    }
    return this.#last === undefined || versions.has(this.#last.segment);
  }

  /** False: the last verified segment has other lines than before. */
  async #readOn(
    segments: SegmentStore,
    versions: ReadonlyMap<number, string>,
    yielder: EventLoopYielder,
    signal: AbortSignal,
  ): Promise<boolean> {
    const known = this.#last;
    const isSame = known !== undefined && versions.get(known.segment) === this.#versions.get(known.segment);
    let current: Verified | undefined = isSame ? known : undefined;
    const start = known === undefined ? -1 : isSame ? known.segment : known.segment - 1;
    for await (const { segment, lines } of segments.linesAfter(start, signal)) {
      if (current?.segment !== segment) current = { segment, lines: 0, digest: createHash('sha256') };
      for (const { bytes } of lines) {
        current.digest.update(bytes).update('\n');
        current.lines++;
        if (segment !== known?.segment || current.lines > known.lines) this.#audit.add(bytes.toString('utf8'));
        else if (current.lines === known.lines && !isEqual(current.digest, known.digest)) return false;
        if (yielder.isDue) await yielder.yieldIfDue();
      }
    }
    this.#last = current;
    return (
      known === undefined || current === undefined || current.segment !== known.segment || current.lines >= known.lines
    );
  }
}

function isEqual(one: Hash, other: Hash): boolean {
  return one.copy().digest('hex') === other.copy().digest('hex');
}
