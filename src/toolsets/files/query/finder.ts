import { Failure } from '../../../errors/failure.ts';
import { shorten } from '../../../text/truncate.ts';
import type { CallContext } from '../../../toolset/toolset.ts';
import type { Attributes } from '../access/inspect.ts';
import { moveBelow, pathStyle } from '../access/paths.ts';
import { type Place, Roots } from '../access/roots.ts';
import { createSamples } from '../access/samples.ts';
import { phraseOf } from '../match/fold.ts';
import type { Settings } from '../settings.ts';
import { spotlightQuery } from '../spotlight/query.ts';
import { createSpotlight, type Spotlight } from '../spotlight/spotlight.ts';
import { CatalogueClient } from './client.ts';
import type { Found, Query } from './protocol.ts';
import type { Page } from './results.ts';

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** What of the world around the toolset a test replaces: the system it runs on and its clock. */
export interface Environment {
  platform: NodeJS.Platform;
  spotlight: Spotlight;
  now(): number;
}

/** What a tool asks for; the phrase as it was typed. */
export type RequestedQuery = Omit<Query, 'phrase'> & { excerpts?: boolean | undefined };

/** Everything that works is behind it, and is loaded by the first call: the start of the server is not its affair. */
export type LazyFinder = () => Promise<Finder>;

/** Nothing is touched before the first call. */
export function openFinder(settings: Settings): Finder {
  const { platform } = process;
  return new Finder(settings, {
    platform,
    spotlight: createSpotlight('/usr/bin/mdfind', '/usr/bin/mdls'),
    now: Date.now,
  });
}

/** Answers the questions of the tools: by Spotlight where there is one, otherwise, and where it finds nothing, by the catalogue. */
export class Finder {
  readonly #settings: Settings;
  readonly #environment: Environment;
  readonly #catalogue: CatalogueClient;
  #roots: Roots | undefined;
  #hasProposedCache = false;

  constructor(settings: Settings, environment: Environment) {
    this.#settings = settings;
    this.#environment = environment;
    const { cacheFolder, roots } = settings;
    this.#catalogue = new CatalogueClient(cacheFolder === undefined ? undefined : { folder: cacheFolder, roots });
  }

  get roots(): Roots {
    const { roots, isDemo } = this.#settings;
    this.#roots ??= new Roots(isDemo ? [createSamples()] : roots, pathStyle(this.#environment.platform));
    return this.#roots;
  }

  get timeoutMs(): number {
    return this.#settings.timeoutMs;
  }

  weekAgo(): number {
    return this.#environment.now() - weekMs;
  }

  /** Paths as the client wrote the scope: it may have come through a link. */
  shownBelow({ given, real }: Place): (path: string) => string {
    return path => moveBelow(path, real, given, pathStyle(this.#environment.platform));
  }

  /** Spotlight's hits for a phrase stand in for reading; of kinds and dates it knows fewer than we do, and both are asked. */
  async find({ real: scope }: Place, requested: RequestedQuery, page: Page, call: CallContext): Promise<Found> {
    const { text, excerpts = false, ...conditions } = requested;
    const phrase = text === undefined ? undefined : phraseOf(text);
    const asked = { scope, query: { ...conditions, text, phrase }, page, excerpts };
    const remainingMs = this.#countdown();
    const suggested = await this.#suggested(spotlightQuery(requested), scope, call);
    if (text !== undefined && suggested !== undefined && suggested.paths.length > 0) {
      const question = { kind: 'check', ...asked, externalHits: suggested.paths } as const;
      const found = await this.#catalogue.find(question, remainingMs(), call);
      if (found.hitCount > 0) return { ...found, isTimedOut: found.isTimedOut || suggested.isCut };
    }
    const externalHits = text === undefined ? (suggested?.paths ?? []) : [];
    const found = await this.#catalogue.find({ kind: 'find', ...asked, externalHits }, remainingMs(), call);
    return this.#withCacheProposal(found);
  }

  #withCacheProposal(found: Found): Found {
    if (!found.isTimedOut || this.#hasProposedCache || this.#settings.cacheFolder !== undefined) return found;
    this.#hasProposedCache = true;
    return { ...found, proposesCache: true };
  }

  /** Spotlight has more attributes than the bytes of a file; attributes that exist on all systems are read from the file. */
  async describe({ given, real }: Place, call: CallContext): Promise<Attributes> {
    const remainingMs = this.#countdown();
    const plist = this.#hasSpotlight
      ? await this.#environment.spotlight.describe(real, this.#halfMs, call.signal)
      : undefined;
    const attributes = await this.#catalogue.describe(real, plist, remainingMs(), call);
    if (attributes === undefined) throw new Failure('argument', `File not found: ${shorten(given)}`);
    return attributes;
  }

  async close(): Promise<void> {
    await this.#catalogue.close();
  }

  get #hasSpotlight(): boolean {
    return this.#environment.platform === 'darwin' && this.#settings.engine === 'auto';
  }

  /** The whole milliseconds that are left of a call that begins now; timers take no less than one. */
  #countdown(): () => number {
    const started = performance.now();
    return () => Math.max(1, Math.ceil(this.#settings.timeoutMs - (performance.now() - started)));
  }

  /** Spotlight gets half of the time, so that a scan can still answer. */
  get #halfMs(): number {
    return Math.ceil(this.#settings.timeoutMs / 2);
  }

  async #suggested(
    query: string | undefined,
    scope: string,
    call: CallContext,
  ): Promise<{ paths: string[]; isCut: boolean } | undefined> {
    if (!this.#hasSpotlight || query === undefined) return undefined;
    return await this.#environment.spotlight.find(query, scope, this.#halfMs, call.signal);
  }
}
