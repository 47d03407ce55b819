import { type FileTypes } from '../../model/file-type.ts';
import type { Skipped } from '../../model/skip.ts';
import { createEntry, type Entry } from './entry.ts';

/** What one walk of one scope found. */
export interface Listing {
  scope: string;
  startedAt: number;
  /** Until when it may be used without another walk. */
  freshUntil: number;
  entries: readonly Entry[];
  skipped: Skipped;
}

/** A listing may be this old; a tree that takes long to walk is walked less often. */
const minWindowMs = 2000;
const windowPerWalk = 3;
const maxListings = 16;
const maxEntriesKept = 500_000;

/** The files known so far, and which of them stand in which scope. */
export class Listings {
  readonly #types: FileTypes;
  readonly #listings = new Map<string, Listing>();
  #entries = new Map<string, Entry>();

  constructor(types: FileTypes) {
    this.#types = types;
  }

  fresh(scope: string, now: number): Listing | undefined {
    const listing = this.#listings.get(scope);
    return listing !== undefined && now < listing.freshUntil ? listing : undefined;
  }

  /** The entry for a path a walk has come to. */
  enter(path: string): Entry {
    const known = this.#entries.get(path);
    if (known !== undefined) return known;
    const entry = createEntry(path, this.#types);
    this.#entries.set(path, entry);
    return entry;
  }

  /** What is known of a path; it is not remembered that it was asked for. */
  know(path: string): Entry {
    return this.#entries.get(path) ?? createEntry(path, this.#types);
  }

  /** Walks that were broken off leave entries that are in no listing. */
  tidy(): void {
    if (this.#entries.size > 2 * maxEntriesKept) this.#forgetUnlisted();
  }

  /** Keeps what a complete walk found; what it no longer found is forgotten. */
  keep(scope: string, startedAt: number, now: number, entries: readonly Entry[], skipped: Skipped): Listing {
    const freshUntil = startedAt + Math.max(minWindowMs, windowPerWalk * (now - startedAt));
    const listing = { scope, startedAt, freshUntil, entries, skipped };
    const old = this.#listings.get(scope);
    this.#listings.delete(scope);
    this.#listings.set(scope, listing);
    const isSmaller = old !== undefined && old.entries.length > 0 && !isSameList(old.entries, entries);
    if (this.#dropOldest() || isSmaller) this.#forgetUnlisted();
    return listing;
  }

  #dropOldest(): boolean {
    let count = 0;
    for (const { entries } of this.#listings.values()) count += entries.length;
    let hasDropped = false;
    for (const [scope, { entries }] of this.#listings) {
      if (this.#listings.size === 1 || (this.#listings.size <= maxListings && count <= maxEntriesKept)) break;
      this.#listings.delete(scope);
      count -= entries.length;
      hasDropped = true;
    }
    return hasDropped;
  }

  #forgetUnlisted(): void {
    const listed = new Map<string, Entry>();
    for (const { entries } of this.#listings.values()) for (const entry of entries) listed.set(entry.path, entry);
    this.#entries = listed;
  }
}

function isSameList(left: readonly Entry[], right: readonly Entry[]): boolean {
  return left.length === right.length && left.every((entry, index) => entry === right[index]);
}
