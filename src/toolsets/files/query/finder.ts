import { Failure } from '../../../errors/failure.ts';
import { shortenText } from '../../../text/truncate.ts';
import type { CallContext } from '../../../toolset/toolset.ts';
import type { FileAttributes } from '../access/inspect.ts';
import { pathStyle, replaceParentFolder } from '../access/paths.ts';
import { type ResolvedPath, RootFolders } from '../access/roots.ts';
import { createSamples } from '../access/samples.ts';
import { foldPhrase } from '../match/fold.ts';
import type { Settings } from '../settings.ts';
import { createSpotlightQuery } from '../spotlight/query.ts';
import { createSpotlight, type Spotlight } from '../spotlight/spotlight.ts';
import { CatalogueClient } from './client.ts';
import type { Query, SearchResultPage } from './protocol.ts';
import type { PageRequest } from './results.ts';

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** The operating system and the clock, which tests replace. */
export interface FinderEnvironment {
  platform: NodeJS.Platform;
  spotlight: Spotlight;
  now(): number;
}

/** The query of a tool, with the phrase as it was written. */
export type RequestedQuery = Omit<Query, 'phrase'> & { excerpts?: boolean | undefined };

/** Loads the finder at the first call, so that it does not slow down the start of the server. */
export type LazyFinder = () => Promise<Finder>;

/** Creates a finder. It does no I/O. */
export function openFinder(settings: Settings): Finder {
  const { platform } = process;
  return new Finder(settings, {
    platform,
    spotlight: createSpotlight('/usr/bin/mdfind', '/usr/bin/mdls'),
    now: Date.now,
  });
}

/**
 * Runs the queries of the tools: with Spotlight on macOS, and with the catalogue elsewhere or if Spotlight finds
 * nothing.
 */
export class Finder {
  readonly #settings: Settings;
  readonly #environment: FinderEnvironment;
  readonly #catalogue: CatalogueClient;
  #roots: RootFolders | undefined;
  #hasProposedCache = false;

  constructor(settings: Settings, environment: FinderEnvironment) {
    this.#settings = settings;
    this.#environment = environment;
    const { cacheFolder, roots } = settings;
    this.#catalogue = new CatalogueClient(cacheFolder === undefined ? undefined : { folder: cacheFolder, roots });
  }

  get roots(): RootFolders {
    const { roots, isDemo } = this.#settings;
    this.#roots ??= new RootFolders(isDemo ? [createSamples()] : roots, pathStyle(this.#environment.platform));
    return this.#roots;
  }

  get timeoutMs(): number {
    return this.#settings.timeoutMs;
  }

  weekAgo(): number {
    return this.#environment.now() - weekMs;
  }

  /** Returns a function that converts real paths to paths below the scope as the client wrote it. */
  shownBelow({ given, real }: ResolvedPath): (path: string) => string {
    return path => replaceParentFolder(path, real, given, pathStyle(this.#environment.platform));
  }

  /**
   * Finds files. If Spotlight finds files with the phrase, no contents are searched. For a query of kinds and dates,
   * the hits of Spotlight are added to the hits of the own index.
   */
  async find(
    { real: scope }: ResolvedPath,
    requested: RequestedQuery,
    page: PageRequest,
    call: CallContext,
  ): Promise<SearchResultPage> {
    const { text, excerpts = false, ...conditions } = requested;
    const phrase = text === undefined ? undefined : foldPhrase(text);
    const asked = { scope, query: { ...conditions, text, phrase }, page, excerpts };
    const remainingMs = this.#countdown();
    const suggested = await this.#suggested(createSpotlightQuery(requested), scope, call);
    if (text !== undefined && suggested !== undefined && suggested.paths.length > 0) {
      const question = { kind: 'check', ...asked, externalHits: suggested.paths } as const;
      const found = await this.#catalogue.find(question, remainingMs(), call);
      if (found.hitCount > 0) return { ...found, isTimedOut: found.isTimedOut || suggested.isCut };
    }
    const externalHits = text === undefined ? (suggested?.paths ?? []) : [];
    const found = await this.#catalogue.find({ kind: 'find', ...asked, externalHits }, remainingMs(), call);
    return this.#withCacheProposal(found);
  }

  #withCacheProposal(found: SearchResultPage): SearchResultPage {
    if (!found.isTimedOut || this.#hasProposedCache || this.#settings.cacheFolder !== undefined) return found;
    this.#hasProposedCache = true;
    return { ...found, proposesCache: true };
  }

  /**
   * Returns the attributes of a file. Spotlight has more attributes than the bytes of a file contain, but attributes
   * that exist on all systems are read from the file.
   */
  async describe({ given, real }: ResolvedPath, call: CallContext): Promise<FileAttributes> {
    const remainingMs = this.#countdown();
    const plist = this.#hasSpotlight
      ? await this.#environment.spotlight.describe(real, this.#halfMs, call.signal)
      : undefined;
    const attributes = await this.#catalogue.describe(real, plist, remainingMs(), call);
    if (attributes === undefined) throw new Failure('argument', `File not found: ${shortenText(given)}`);
    return attributes;
  }

  async close(): Promise<void> {
    await this.#catalogue.close();
  }

  get #hasSpotlight(): boolean {
    return this.#environment.platform === 'darwin' && this.#settings.engine === 'auto';
  }

  /** Returns a function that returns the remaining milliseconds of the call, at least one. */
  #countdown(): () => number {
    const started = performance.now();
    return () => Math.max(1, Math.ceil(this.#settings.timeoutMs - (performance.now() - started)));
  }

  /** Spotlight gets half of the time, so that the catalogue can still answer. */
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
