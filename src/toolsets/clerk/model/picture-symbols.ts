import { Failure } from '../../../errors/failure.ts';

/** A symbol of a COBOL PICTURE clause in upper case, with its index in the argument. */
export interface PictureSymbol {
  readonly symbol: string;
  readonly at: number;
}

/**
 * Limits the symbols of a COBOL PICTURE clause, because no printed amount is longer. Repeat counts are checked before
 * they are expanded.
 */
const maxSymbols = 255;

/** Splits a COBOL PICTURE clause into an array of symbols: `$(3)9CR` becomes $ $ $ 9 CR. */
export function readSymbols(text: string): { symbols: PictureSymbol[]; isBlankWhenZero: boolean } {
  const [, margin = '', picture = '', clause = ''] = /^(\s*)(\S*)(.*)$/s.exec(text) ?? [];
  const isBlankWhenZero = /^\s+BLANK(\s+WHEN)?\s+ZERO\s*$/i.test(clause);
  if (!isBlankWhenZero && clause.trim() !== '') {
    const at = margin.length + picture.length + clause.search(/\S/);
    throw createInvalidPictureFailure({ symbol: clause.trim(), at }, 'only BLANK WHEN ZERO may follow the symbols');
  }
  const symbols: PictureSymbol[] = [];
  for (const match of picture.matchAll(/(CR|DB|.)(?:\(([^)]*)\))?/gisu)) {
    const [, symbol = '', repeat = '1'] = match;
    const entry = { symbol: symbol.toUpperCase(), at: margin.length + match.index };
    if (!/^(?:CR|DB|[-+$Z*9.,B0/])$/.test(entry.symbol))
      throw createInvalidPictureFailure(entry, 'this is not an editing symbol');
    const count = /^[0-9]+$/.test(repeat) ? Number(repeat) : 0;
    if (count === 0)
      throw createInvalidPictureFailure(entry, 'a repeat count is a number of at least 1 in brackets, as in 9(5)');
    if (symbols.length + count > maxSymbols)
      throw createInvalidPictureFailure(entry, `this makes more than ${maxSymbols} symbols`);
    for (let made = 0; made < count; made++) symbols.push(entry);
  }
  return { symbols, isBlankWhenZero };
}

/**
 * Creates the error for an invalid COBOL PICTURE clause. It contains the position of the invalid symbol, counted from
 * 1, if there is one.
 */
export function createInvalidPictureFailure(place: PictureSymbol | undefined, reason: string): Failure {
  const where = place === undefined ? '' : ` at character ${place.at + 1}, ${JSON.stringify(place.symbol)}`;
  return new Failure('argument', `"picture" is invalid${where}: ${reason}.`, {
    hint: 'Symbols: 9 digit, Z or * suppressed digit, two or more of $ + - float, . , B 0 / insert, CR DB + - mark the sign. Examples: $$$,$$9.99-, ZZ,ZZ9.99CR, $**,**9.99.',
  });
}
