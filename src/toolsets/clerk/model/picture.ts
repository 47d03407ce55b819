import { maxDigits } from './decimal.ts';
import { createInvalidPictureFailure, type PictureSymbol, readSymbols } from './picture-symbols.ts';

/**
 * A parsed COBOL PICTURE clause, which describes a printed number with one symbol per character. In `$$,$$9.99-` the
 * `$` is printed before the first digit, the comma only after a digit, one digit and two decimals always, and a minus
 * after negative amounts.
 */
export interface CobolPicture {
  readonly text: string;
  readonly places: readonly CobolPicturePlace[];
  readonly integerDigits: number;
  readonly decimalDigits: number;
  /** The character that replaces leading zeros. */
  readonly fill: ' ' | '*';
  readonly isSigned: boolean;
  /** True if the text BLANK WHEN ZERO follows the symbols. */
  readonly isBlankWhenZero: boolean;
}

/** The type of one character in the printed number. */
export type CobolPicturePlace =
  /** The symbol `9` prints a digit. */
  | { readonly kind: 'digit' }
  /** `Z`, `*` and floating symbols print a digit, or the fill character instead of a leading zero. */
  | { readonly kind: 'suppressed' }
  /**
   * The first of two or more `$`, `+` or `-` symbols. It reserves the character that is printed before the first digit.
   */
  | { readonly kind: 'float'; readonly mark: string }
  /** A single symbol `$ + - CR DB` is printed at its own position. */
  | { readonly kind: 'mark'; readonly mark: string }
  /**
   * The COBOL PICTURE symbol `,`, `B`, `0` or `/`. It prints itself (`B` a space), or the fill character between
   * leading zeros.
   */
  | { readonly kind: 'insertion'; readonly text: string }
  | { readonly kind: 'point' };

/** Parses a COBOL PICTURE clause. The error for an invalid clause contains the position. */
export function readPicture(text: string): CobolPicture {
  const { symbols, isBlankWhenZero } = readSymbols(text);
  const parts = toParts(symbols);
  checkOrder(parts);
  const digits = parts.filter(isDigit);
  const decimals = digits.filter(({ isRight }) => isRight);
  if (digits.length === 0)
    throw createInvalidPictureFailure(undefined, 'it has no place for a digit, such as 9, Z or a second $');
  if (digits.length > maxDigits) {
    throw createInvalidPictureFailure(
      digits[maxDigits],
      `it has ${digits.length} digits, and COBOL allows ${maxDigits}`,
    );
  }
  // In COBOL a point at the end of a PICTURE clause would end the sentence.
  const last = symbols.at(-1);
  if (last?.symbol === '.') throw createInvalidPictureFailure(last, 'it cannot come last');
  const star = symbols.find(({ symbol }) => symbol === '*');
  if (star !== undefined && isBlankWhenZero)
    throw createInvalidPictureFailure(star, 'BLANK WHEN ZERO does not go with it');
  return {
    text,
    places: parts.map(({ place }) => place),
    integerDigits: digits.length - decimals.length,
    decimalDigits: decimals.length,
    fill: star === undefined ? ' ' : '*',
    isSigned: parts.some(isSign),
    isBlankWhenZero,
  };
}

/** A symbol of a COBOL PICTURE clause with its type, which depends on the other symbols. */
interface Part extends PictureSymbol {
  readonly place: CobolPicturePlace;
  readonly isRight: boolean; // of the point
  readonly isTrailing: boolean; // a sign that ends the PICTURE
}

function toParts(symbols: readonly PictureSymbol[]): Part[] {
  const names = symbols.map(({ symbol }) => symbol);
  const point = names.indexOf('.');
  return symbols.map((entry, index) => {
    const { symbol } = entry;
    const place = toPlace(symbol, names.indexOf(symbol) === index, names.lastIndexOf(symbol) === index);
    const isTrailing = place.kind === 'mark' && isSign(entry) && (index > 0 || symbol === 'CR' || symbol === 'DB');
    return { ...entry, place, isRight: point !== -1 && index > point, isTrailing };
  });
}

function toPlace(symbol: string, isFirst: boolean, isLast: boolean): CobolPicturePlace {
  switch (symbol) {
    case '9':
      return { kind: 'digit' };
    case 'Z':
    case '*':
      return { kind: 'suppressed' };
    case '.':
      return { kind: 'point' };
    case '$':
    case '+':
    case '-':
      if (isFirst && isLast) return { kind: 'mark', mark: symbol };
      return isFirst ? { kind: 'float', mark: symbol } : { kind: 'suppressed' };
    case 'CR':
    case 'DB':
      return { kind: 'mark', mark: symbol };
    default:
      return { kind: 'insertion', text: symbol === 'B' ? ' ' : symbol };
  }
}

function checkOrder(parts: readonly Part[]): void {
  for (const [index, part] of parts.entries()) {
    const blocker = parts.slice(0, index).findLast(before => cannotFollow(part, before));
    if (blocker !== undefined) throw createInvalidPictureFailure(part, `it cannot follow "${blocker.symbol}"`);
  }
  const float = parts.find(({ place }) => place.kind === 'float');
  const next = parts.find(({ symbol, place }) => symbol === float?.symbol && place.kind === 'suppressed');
  if (next?.isRight) throw createInvalidPictureFailure(next, `two "${next.symbol}" must precede the point`);
}

/**
 * Returns whether the symbol `part` must not follow the symbol `before`, directly or later, by the precedence table of
 * COBOL.
 */
function cannotFollow(part: Part, before: Part): boolean {
  const isOtherSign = isSign(part) && isSign(before) && part.symbol !== before.symbol;
  return before.isTrailing || isOtherSign || isBlockedByPlace(part, before);
}

function isBlockedByPlace(part: Part, before: Part): boolean {
  const { kind } = before.place;
  switch (part.place.kind) {
    case 'mark':
      return part.symbol === '$' && !(isSign(before) && kind === 'mark');
    case 'float':
      return kind === 'point' || kind === 'float' || isDigit(before);
    case 'suppressed':
      return kind === 'digit' || (isReplaceable(before) && before.symbol !== part.symbol);
    case 'digit':
      return kind === 'suppressed' && before.isRight;
    case 'point':
      return kind === 'point';
    case 'insertion':
      break;
  }
  return false;
}

function isReplaceable({ place }: Part): boolean {
  return place.kind === 'float' || place.kind === 'suppressed';
}

function isDigit({ place }: Part): boolean {
  return place.kind === 'digit' || place.kind === 'suppressed';
}

function isSign({ symbol }: PictureSymbol): boolean {
  return symbol === '+' || symbol === '-' || symbol === 'CR' || symbol === 'DB';
}
