import { createHash, type Hash } from 'node:crypto';
import { EventLoopYielder } from '../../../async/yielder.ts';
import { JournalAudit } from '../model/audit.ts';
import { ioTimeSliceMs } from '../storage/book-backend.ts';
import type { JournalSegmentReader } from './checkpoints.ts';

/** The verified part of the last segment. A writer can append lines after it. The number 0 means no segment. */
interface Verified {
  segment: number;
  lines: number;
  digest: Hash;
}

/**
 * Verifies a journal and stores the position of the last verified line. The next run reads only new lines if the
 * earlier segments are unchanged.
 */
export class JournalAuditor {
  #audit = new JournalAudit();
  /** The version that each segment had when it was verified. */
  #versions = new Map<number, string>();
  #last = newVerified(0);

  /** Verifies the journal and returns the errors found. */
  async run(segments: JournalSegmentReader, signal: AbortSignal): Promise<string[]> {
    const versions = new Map((await segments.segments(signal)).map(({ number, version }) => [number, version]));
    if (!this.#isPrefixOf(versions) || !(await this.#readOn(segments, versions, signal))) {
      this.#audit = new JournalAudit();
      this.#versions = new Map();
      this.#last = newVerified(0);
      await this.#readOn(segments, versions, signal);
    }
    this.#versions = versions;
    return this.#audit.problems;
  }

  /** Returns whether all verified segments except the last one are unchanged. */
  #isPrefixOf(versions: ReadonlyMap<number, string>): boolean {
    for (const [number, version] of this.#versions) {
      if (number !== this.#last.segment && versions.get(number) !== version) return false;
    }
    return this.#last.segment === 0 || versions.has(this.#last.segment);
  }

  /** Verifies the new lines. Returns false if lines that were verified before have changed. */
  async #readOn(
    segments: JournalSegmentReader,
    versions: ReadonlyMap<number, string>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const yielder = new EventLoopYielder(ioTimeSliceMs, signal);
    const known = this.#last;
    const isSame = versions.get(known.segment) === this.#versions.get(known.segment);
    let current = isSame ? known : undefined;
    // A segment that has changed is read again from its start.
    const after = isSame ? known.segment : known.segment - 1;
    for await (const { segment, lines } of segments.linesAfter(after, signal)) {
      if (current?.segment !== segment) current = newVerified(segment);
      for (const { bytes } of lines) {
        current.digest.update(bytes).update('\n');
        current.lines++;
        if (segment !== known.segment || current.lines > known.lines) this.#audit.add(bytes.toString('utf8'));
        else if (current.lines === known.lines && !isEqual(current.digest, known.digest)) return false;
        if (yielder.isDue) await yielder.yieldIfDue();
      }
    }
    if (current === undefined) return false;
    this.#last = current;
    // If verified lines are missing at the end of the last segment, they were removed.
    return current.segment !== known.segment || current.lines >= known.lines;
  }
}

function newVerified(segment: number): Verified {
  return { segment, lines: 0, digest: createHash('sha256') };
}

function isEqual(one: Hash, other: Hash): boolean {
  return one.copy().digest('hex') === other.copy().digest('hex');
}
