import { absoluteValue, type Decimal, toUnitsAtScale } from './decimal.ts';
import type { CobolPicture, CobolPicturePlace } from './picture.ts';

/** Formats an amount by a PICTURE. The amount must not have more digits before or after the point than the PICTURE. */
export function formatAmount(picture: CobolPicture, amount: Decimal): string {
  const { places, fill } = picture;
  const digitCount = picture.integerDigits + picture.decimalDigits;
  const digits = Array.from(
    String(absoluteValue(toUnitsAtScale(amount, picture.decimalDigits))).padStart(digitCount, '0'),
  );
  const isNegative = amount.units < 0n;
  const texts = places.map(place => textOf(place, digits, isNegative));
  if (amount.units === 0n && isEmptyAtZero(picture)) return emptyField(picture, texts);

  // The fill character replaces leading zeros and the insertions between them. Without such places, `from` is -1 and the
  // range is empty.
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
 * Returns the text of one place before leading zeros are replaced. A place for a digit removes the first element of the
 * array `digits`.
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
 * Returns whether the field of the amount zero contains no digits: with BLANK WHEN ZERO, or if every digit can be
 * suppressed.
 */
function isEmptyAtZero({ places, isBlankWhenZero }: CobolPicture): boolean {
  return isBlankWhenZero || !places.some(({ kind }) => kind === 'digit');
}

/**
 * Returns the field of an amount whose digits are all suppressed. Stars protect cheques against forgery, so the decimal
 * point stays between them.
 */
function emptyField({ places, fill }: CobolPicture, texts: readonly string[]): string {
  return places
    .map(({ kind }, index) => (kind === 'point' && fill === '*' ? '.' : fill.repeat((texts[index] ?? '').length)))
    .join('');
}
