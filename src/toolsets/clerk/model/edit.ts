import { computeAbsoluteValue, type Decimal, toUnitsAtScale } from './decimal.ts';
import type { CobolPicture, CobolPicturePlace } from './picture.ts';

/**
 * Formats an amount by a COBOL PICTURE clause. The amount must not have more digits before or after the decimal point
 * than the clause.
 */
export function formatAmount(picture: CobolPicture, amount: Decimal): string {
  const { places, fill } = picture;
  const digitCount = picture.integerDigits + picture.decimalDigits;
  const digits = Array.from(
    String(computeAbsoluteValue(toUnitsAtScale(amount, picture.decimalDigits))).padStart(digitCount, '0'),
  );
  const isNegative = amount.units < 0n;
  const texts = places.map(place => textOf(place, digits, isNegative));
  if (amount.units === 0n && isEmptyAtZero(picture)) return emptyField(picture, texts);

  // The range of leading zeros, with the characters between them, that the fill character replaces. If there is none,
  // `from` is -1.
  const from = places.findIndex(({ kind }) => kind === 'suppressed' || kind === 'float');
  const start = places.findIndex(
    ({ kind }, index) => kind === 'digit' || kind === 'point' || (kind === 'suppressed' && texts[index] !== '0'),
  );
  if (from < start) {
    texts.fill(fill, from, start);
    const float = places.find(place => place.kind === 'float');
    if (float !== undefined) texts[start - 1] = markText(float.mark, isNegative);
  }
  return texts.join('');
}

/**
 * Returns the text of one symbol before leading zeros are replaced. If the symbol prints a digit, the first element of
 * the array `digits` is removed.
 */
function textOf(place: CobolPicturePlace, digits: string[], isNegative: boolean): string {
  switch (place.kind) {
    case 'digit':
    case 'suppressed':
      return digits.shift() ?? '0';
    case 'float':
    case 'mark':
      return markText(place.mark, isNegative);
    case 'insertion':
      return place.text;
    case 'point':
      break;
  }
  return '.';
}

function markText(mark: string, isNegative: boolean): string {
  if (mark === '$') return mark;
  if (mark === '+') return isNegative ? '-' : '+';
  return isNegative ? mark : ' '.repeat(mark.length);
}

/**
 * Returns whether the number zero is printed without digits: with BLANK WHEN ZERO, or if the COBOL PICTURE clause
 * replaces every leading zero.
 */
function isEmptyAtZero({ places, isBlankWhenZero }: CobolPicture): boolean {
  return isBlankWhenZero || !places.some(({ kind }) => kind === 'digit');
}

/**
 * Returns the field of an amount whose digits are all replaced by the fill character. Stars protect cheques against
 * forgery, so that the decimal point stays between them.
 */
function emptyField({ places, fill }: CobolPicture, texts: readonly string[]): string {
  return places
    .map(({ kind }, index) => (kind === 'point' && fill === '*' ? '.' : fill.repeat((texts[index] ?? '').length)))
    .join('');
}
