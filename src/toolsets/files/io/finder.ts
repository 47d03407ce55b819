import { Failure } from '../../../failure.ts';
import type { Call } from '../../../toolset.ts';
import { excerpt } from '../model/excerpt.ts';
import type { Kind } from '../model/file-type.ts';
import { phraseOf } from '../model/fold.ts';
import type { Page } from '../model/page.ts';
import { moveBelow, pathStyle } from '../model/paths.ts';
import { kindQuery, recentQuery, textQuery } from '../model/spotlight-query.ts';
import type { Settings } from '../settings.ts';
import { CatalogueClient } from './catalogue-client.ts';
import type { Found, Question, Test } from './catalogue-messages.ts';
import type { Attributes } from './reader-messages.ts';
import { type Place, Roots } from './roots.ts';
import { createSampleFolder } from './sample-folder.ts';
import { createSpotlight, type Spotlight } from './spotlight.ts';

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** What of the world around the room a test replaces: the system it runs on and its clock. */
export interface Surroundings {
  platform: NodeJS.Platform;
  spotlight: Spotlight;
  now(): number;
}

/** Nothing is touched before the first call. */
export function openFinder(settings: Settings): Finder {
  const { platform } = process;
  return new Finder(settings, {
    platform,
    spotlight: createSpotlight('/usr/bin/mdfind', '/usr/bin/mdls'),
    now: Date.now,
  });
}

/** Answers the room's questions: by Spotlight where there is one, otherwise, and where it finds nothing, by the catalogue. */
export class Finder {
  readonly #settings: Settings;
  readonly #surroundings: Surroundings;
  readonly #catalogue: CatalogueClient;
  #roots: Roots | undefined;

  constructor(settings: Settings, surroundings: Surroundings) {
    this.#settings = settings;
    this.#surroundings = surroundings;
    this.#catalogue = new CatalogueClient();
  }

  get roots(): Roots {
    const { roots, isDemo } = this.#settings;
    this.#roots ??= new Roots(isDemo ? [createSampleFolder()] : roots, pathStyle(this.#surroundings.platform));
    return this.#roots;
  }

  weekAgo(): number {
    return this.#surroundings.now() - weekMs;
  }

  /** Paths as the client wrote the scope: it may have come through a link. */
  shownBelow({ given, real }: Place): (path: string) => string {
    return path => moveBelow(path, real, given);
  }

  async search({ real: scope }: Place, query: string, page: Page, call: Call): Promise<Found> {
    const phrase = phraseOf(query);
    return await this.#find({ kind: 'search', scope, phrase, page }, textQuery(query), { phrase }, call);
  }

  async byKind({ real: scope }: Place, wanted: Kind, page: Page, call: Call): Promise<Found> {
    return await this.#find({ kind: 'byKind', scope, wanted, page }, kindQuery(wanted), { wanted }, call);
  }

  async recent({ real: scope }: Place, sinceMs: number, page: Page, call: Call): Promise<Found> {
    return await this.#find({ kind: 'recent', scope, sinceMs, page }, recentQuery(sinceMs), { sinceMs }, call);
  }

  /** Spotlight knows more of a file than its bytes say; what is the same on all systems comes from ourselves. */
  async describe({ given, real }: Place, call: Call): Promise<Attributes> {
    const { timeoutMs } = this.#settings;
    const known = await this.#catalogue.describe(real, timeoutMs, call);
    if (known === undefined) throw new Failure('argument', `File not found: ${excerpt(given)}`);
    const told = this.#hasSpotlight ? await this.#surroundings.spotlight.describe(real, timeoutMs, call.signal) : {};
    return { ...told, ...known };
  }

  async close(): Promise<void> {
    await this.#catalogue.close();
  }

  get #hasSpotlight(): boolean {
    return this.#surroundings.platform === 'darwin' && this.#settings.engine === 'auto';
  }

  async #find(
    question: Exclude<Question, { kind: 'describe' | 'check' }>,
    query: string | undefined,
    test: Test,
    call: Call,
  ): Promise<Found> {
    const { timeoutMs } = this.#settings;
    const { scope, page } = question;
    if (!this.#hasSpotlight || query === undefined) return await this.#catalogue.find(question, timeoutMs, call);
    const started = performance.now();
    const remaining = (): number => Math.max(1000, timeoutMs - (performance.now() - started));
    // Half of the time: what Spotlight does not answer must still be found.
    const told = await this.#surroundings.spotlight.find(query, scope, timeoutMs / 2, call.signal);
    if (told !== undefined && told.paths.length > 0) {
      const checking = { kind: 'check', scope, paths: told.paths, test, page } as const;
      const found = await this.#catalogue.find(checking, remaining(), call);
      if (found.hitCount > 0) return { ...found, isTimedOut: found.isTimedOut || told.isCut };
    }
    return await this.#catalogue.find(question, remaining(), call);
  }
}
