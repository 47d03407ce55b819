import { Failure } from '../../../errors/failure.ts';
import { shortenText } from '../../../text/truncate.ts';
import type { CallContext } from '../../../toolset/toolset.ts';
import type { FileAttributes } from '../access/inspect.ts';
import { pathStyleOfPlatform, replaceParentFolder } from '../access/paths.ts';
import { type ResolvedPath, RootFolders } from '../access/roots.ts';
import { createSampleFiles } from '../access/samples.ts';
import { foldQueryPhrase } from '../match/fold.ts';
import type { Settings } from '../settings.ts';
import { createSpotlightQuery } from '../spotlight/query.ts';
import { createSpotlight, type Spotlight } from '../spotlight/spotlight.ts';
import { CatalogueClient } from './client.ts';
import type { FileQuery, SearchResultPage } from './protocol.ts';
import type { PageRequest } from './results.ts';

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** The platform, Spotlight and the clock. Tests replace them. */
export interface FinderEnvironment {
  platform: NodeJS.Platform;
  spotlight: Spotlight;
  now(): number;
}

/** The query in the form of a tool. The finder case-folds the phrase. */
export type RequestedQuery = Omit<FileQuery, 'phrase'> & { excerpts?: boolean | undefined };

/** Loads the finder at the first call, because loading it would slow down the start of the server. */
export type FinderLoader = () => Promise<FileFinder>;

/** Creates a finder for the settings of the server. This does no I/O. */
export function createFinder(settings: Settings): FileFinder {
  const { platform } = process;
  return new FileFinder(settings, {
    platform,
    spotlight: createSpotlight('/usr/bin/mdfind', '/usr/bin/mdls'),
    now: Date.now,
  });
}

/**
 * Runs the queries of the tools. On macOS it asks Spotlight first. The index of this program is used without Spotlight,
 * or if Spotlight finds nothing.
 */
export class FileFinder {
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
    this.#roots ??= new RootFolders(
      isDemo ? [createSampleFiles()] : roots,
      pathStyleOfPlatform(this.#environment.platform),
    );
    return this.#roots;
  }

  get timeoutMs(): number {
    return this.#settings.timeoutMs;
  }

  weekAgo(): number {
    return this.#environment.now() - weekMs;
  }

  /** Returns a function that replaces the resolved path of the searched folder by the path that the client wrote. */
  shownBelow({ given, real }: ResolvedPath): (path: string) => string {
    return path => replaceParentFolder(path, real, given, pathStyleOfPlatform(this.#environment.platform));
  }

  /**
   * Finds files. If Spotlight finds files with the phrase, the folders are not searched, and the index only stores what
   * is read from these files. For a query without text, the results of Spotlight are added to those of the index.
   */
  async find(
    { real: scope, root }: ResolvedPath,
    requested: RequestedQuery,
    page: PageRequest,
    call: CallContext,
  ): Promise<SearchResultPage> {
    const { text, excerpts = false, ...conditions } = requested;
    const phrase = text === undefined ? undefined : foldQueryPhrase(text);
    const request = { scope, root, query: { ...conditions, text, phrase }, page, excerpts };
    const remainingMs = this.#countdown();
    const suggested = await this.#suggested(createSpotlightQuery(requested), scope, call);
    if (text !== undefined && suggested !== undefined && suggested.paths.length > 0) {
      const verification = { kind: 'verify', ...request, externalHits: suggested.paths } as const;
      const found = await this.#catalogue.find(verification, remainingMs(), call);
      if (found.hitCount > 0) return { ...found, isTimedOut: found.isTimedOut || suggested.isCut };
    }
    const externalHits = text === undefined ? (suggested?.paths ?? []) : [];
    const found = await this.#catalogue.find({ kind: 'find', ...request, externalHits }, remainingMs(), call);
    return this.#withCacheProposal(found);
  }

  #withCacheProposal(found: SearchResultPage): SearchResultPage {
    if (!found.isTimedOut || this.#hasProposedCache || this.#settings.cacheFolder !== undefined) return found;
    this.#hasProposedCache = true;
    return { ...found, proposesCache: true };
  }

  /**
   * Returns the attributes of a file. Spotlight adds attributes that the file itself does not contain. All other values
   * come from the file.
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

  /**
   * Starts to measure the time limit of a call. The returned function yields the remaining milliseconds, at least one.
   */
  #countdown(): () => number {
    const started = performance.now();
    return () => Math.max(1, Math.ceil(this.#settings.timeoutMs - (performance.now() - started)));
  }

  /**
   * The time limit for Spotlight is half of the time limit of the call, so that a search without Spotlight remains
   * possible.
   */
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
