import path from 'node:path';
import { EventLoopYielder } from '../../../async/yielder.ts';
import { extensionOf, fileTypeOfName, mayBeOfFileKind } from '../../../documents/file-type.ts';
import type { FileTable } from '../index/file-table.ts';
import { type FolderTableRows, isIndexed, needsIndexing, type TableFile, tableFileAt } from '../index/folder.ts';
import type { FolderWalk } from '../index/folder-walk.ts';
import { createDateSearchWord, findDates } from '../match/date-forms.ts';
import { foldCaseAndAccents } from '../match/fold.ts';
import { extractDateWords } from '../match/months.ts';
import { trigramHashesOf } from '../match/trigrams.ts';
import {
  matchNameWords,
  matchQualityLevels,
  matchQualityOfWord,
  mergeMatchQualities,
  type SearchTerm,
  type WordMatchQualities,
} from '../match/word-match.ts';
import { splitWords } from '../match/words.ts';
import { type CallTimeControl, eventLoopTimeSliceMs } from '../workers/control.ts';
import { isInRequestedTimeRange } from './file-filter.ts';
import type { QueryWord } from './parse.ts';
import type { SearchStage } from './plan.ts';
import type { FileQuery, SearchedFileParts } from './protocol.ts';

/** A file that must be read, because it may contain as many words of the query as a result needs. */
export interface CandidateFile {
  file: TableFile;
  /** The words in the name of the file. `names` also includes the names of its folders. */
  name: WordMatchQualities;
  names: WordMatchQualities;
  /** True if a word of the query means the kind of this file, such as "mail" or "photo". */
  isOfKind: boolean;
  /** The words that the contents may contain, according to the trigram signature. */
  possible: WordMatchQualities;
}

/**
 * Selects the files that may contain enough words of a query, by their names and trigram signatures. It reads no files.
 */
export class CandidateFilter {
  /** Maps each word of the query to the number of files that may contain it. */
  readonly counts: number[];
  fileCount = 0;
  readonly #table: FileTable;
  readonly #scope: string;
  readonly #query: FileQuery;
  readonly #stage: SearchStage;
  readonly #where: SearchedFileParts;
  readonly #terms: readonly (SearchTerm & { hashes: Uint32Array })[];
  /** The match qualities that a file would have if it contained every word exactly. */
  readonly #best: WordMatchQualities;
  readonly #patterns: readonly { word: number; fits: (name: string) => boolean }[];

  constructor(table: FileTable, scope: string, query: FileQuery, stage: SearchStage, where: SearchedFileParts) {
    [this.#table, this.#scope, this.#query, this.#stage, this.#where] = [table, scope, query, stage, where];
    this.counts = stage.words.map(() => 0);
    this.#terms = stage.terms.map(term => ({ ...term, hashes: trigramHashesOf(Buffer.from(term.text, 'utf8')) }));
    this.#best = stage.terms.reduce((all, term) => mergeMatchQualities(all, qualityAt(term.word, term.quality)), 0);
    this.#patterns = stage.words.flatMap(({ fitsPattern }, word) =>
      fitsPattern === undefined ? [] : [{ word, fits: fitsPattern }],
    );
  }

  async select({ listed }: FolderWalk, control: CallTimeControl): Promise<CandidateFile[]> {
    const yielder = new EventLoopYielder(eventLoopTimeSliceMs);
    const found: CandidateFile[] = [];
    for (const folder of listed) {
      const inFolders = this.#where === 'any' ? this.#matchFolders(folder) : 0;
      const mayMatchNames = this.#where !== 'content' && this.#mayMatchNames(folder);
      if (this.#where === 'name' && !mayMatchNames && inFolders === 0 && this.#query.kind === undefined) {
        this.fileCount += folder.names.length;
        continue;
      }
      for (let index = 0; index < folder.names.length; index++) {
        const candidate = this.#candidate(folder, index, inFolders, mayMatchNames);
        if (candidate !== undefined) found.push(candidate);
      }
      await yielder.yieldIfDue();
      // The names are also compared after the time limit, so that an incomplete result contains the files that match by
      // name.
      if (control.isOver && !control.isTimedOut) break;
    }
    return found;
  }

  #matchFolders({ path: folder }: FolderTableRows): WordMatchQualities {
    return matchNameWords(wordsOfName(path.relative(this.#scope, folder)), this.#stage.terms);
  }

  /** Tests all names of a folder in one comparison, because most folders contain none of the words. */
  #mayMatchNames(folder: FolderTableRows): boolean {
    if (this.#patterns.length > 0 || this.#stage.words.some(({ kind }) => kind !== undefined)) return true;
    return mayContain(folder.foldedNames, this.#stage.terms);
  }

  #candidate(
    folder: FolderTableRows,
    index: number,
    inFolders: WordMatchQualities,
    mayMatchNames: boolean,
  ): CandidateFile | undefined {
    const name = folder.names[index] ?? '';
    const { kind } = this.#query;
    const type = fileTypeOfName(this.#table.types, name);
    if (kind !== undefined && !type.kinds.includes(kind) && !mayBeOfFileKind(name, kind)) return undefined;
    this.fileCount++;
    const ownName = mayMatchNames ? this.#matchName(name) : 0;
    const names = mergeMatchQualities(ownName, inFolders);
    const searchesContents = this.#where !== 'name' && type.format !== 'none' && type.format !== 'unsupported';
    const possible = searchesContents ? this.#possible(folder, index) : 0;
    this.#count(mergeMatchQualities(names, possible));
    if (!containsEnoughQueryWords(mergeMatchQualities(names, possible), this.#stage)) return undefined;
    if (!this.#isWanted(folder, index)) return undefined;
    const isOfKind = this.#stage.words.some(word => word.kind !== undefined && this.#isOfKind(name, word.kind));
    return { file: tableFileAt(folder, index), name: ownName, names, possible, isOfKind };
  }

  /** Tests whether the file still exists and has the requested modification time, which requires its stat. */
  #isWanted(folder: FolderTableRows, index: number): boolean {
    folder.refresh(index, true, this.#table.signatures);
    return folder.state(index) !== 'gone' && isInRequestedTimeRange(this.#query, folder.mtimeMs(index));
  }

  #matchName(name: string): WordMatchQualities {
    const terms = this.#stage.terms;
    let qualities = mayContain(foldCaseAndAccents(name), terms) ? matchNameWords(wordsOfName(name), terms) : 0;
    for (const { word, fits } of this.#patterns)
      if (fits(name)) qualities = mergeMatchQualities(qualities, qualityAt(word, matchQualityLevels.word));
    this.#stage.words.forEach(({ kind }, word) => {
      if (kind !== undefined && this.#isOfKind(name, kind))
        qualities = mergeMatchQualities(qualities, qualityAt(word, matchQualityLevels.word));
    });
    return qualities;
  }

  #isOfKind(name: string, { kind, extensions }: NonNullable<QueryWord['kind']>): boolean {
    if (extensions?.includes(extensionOf(name)) === true) return true;
    return kind !== undefined && fileTypeOfName(this.#table.types, name).kinds.includes(kind);
  }

  #possible(folder: FolderTableRows, index: number): WordMatchQualities {
    const state = folder.state(index);
    if (!isIndexed(state)) return needsIndexing(state) ? this.#best : 0;
    const signature = folder.signature(index);
    let qualities = 0;
    for (const { word, quality: how, hashes } of this.#terms) {
      if (matchQualityOfWord(qualities, word) < how && this.#table.signatures.mayHold(signature, hashes))
        qualities = mergeMatchQualities(qualities, qualityAt(word, how));
    }
    return qualities;
  }

  #count(qualities: WordMatchQualities): void {
    for (let word = 0; word < this.counts.length; word++)
      if (matchQualityOfWord(qualities, word) > 0) this.counts[word] = (this.counts[word] ?? 0) + 1;
  }
}

/**
 * Returns whether file names, in lower case and without accents, may contain one of the terms. A term for a month is an
 * artificial word that no name contains, so that every name with a year may match it.
 */
function mayContain(names: string, terms: readonly SearchTerm[]): boolean {
  return terms.some(({ text }) => (text.startsWith('\u0001') ? /(?:19|20)\d\d/.test(names) : names.includes(text)));
}

function wordsOfName(name: string): string[] {
  return [
    ...splitWords(name),
    ...extractDateWords(name),
    ...findDates(name).map(({ iso }) => createDateSearchWord(iso)),
  ];
}

function qualityAt(word: number, how: number): WordMatchQualities {
  return (how << (2 * word)) >>> 0;
}

/** Returns whether a file contains enough words of the query to be a result of the current search. */
export function containsEnoughQueryWords(
  qualities: WordMatchQualities,
  { quotas }: Pick<SearchStage, 'quotas'>,
): boolean {
  return quotas.some(({ words, needed }) => {
    let count = 0;
    for (const word of words) if (matchQualityOfWord(qualities, word) > 0) count++;
    return count >= needed;
  });
}
