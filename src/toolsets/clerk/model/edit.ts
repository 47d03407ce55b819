import { absolute, type Decimal, unitsAt } from './decimal.ts';
import type { Picture, Place } from './picture.ts';

/** Prints an amount through a PICTURE. It must fit: no more digits on either side of the point than there are places. */
export function editAmount(picture: Picture, amount: Decimal): string {
  const { places, fill } = picture;
  const digitCount = picture.integerDigits + picture.decimalDigits;
  const digits = Array.from(String(absolute(unitsAt(amount, picture.decimalDigits))).padStart(digitCount, '0'));
  const isNegative = amount.units < 0n;
  const texts = places.map(place => textOf(place, digits, isNegative));
  if (amount.units === 0n && isEmptyAtZero(picture)) return emptyField(picture, texts);

  // Leading zeros, and what is inserted between them, give way to the fill from `from` up to `start`.
  const from = places.findIndex(({ kind }) => kind === 'suppressed' || kind === 'float');
  const start = places.findIndex(
    ({ kind }, index) => kind === 'digit' || kind === 'point' || (kind === 'suppressed' && texts[index] !== '0'),
  );
  if (from !== -1 && from < start) {
    texts.fill(fill, from, start);
    const float = places.find(place => place.kind === 'float');
    if (float !== undefined) texts[start - 1] = markText(float.mark, isNegative);
  }
  return texts.join('');
}

/** What a place prints when nothing is suppressed; a digit is taken from the front of `digits`. */
function textOf(place: Place, digits: string[], isNegative: boolean): string {
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

/** With BLANK WHEN ZERO, and where every digit can be suppressed, zero prints no digit at all. */
function isEmptyAtZero({ places, isBlankWhenZero }: Picture): boolean {
  return isBlankWhenZero || !places.some(({ kind }) => kind === 'digit');
}

/** Cheques protected by stars keep their point: a gap could be written into. */
function emptyField({ places, fill }: Picture, texts: readonly string[]): string {
  return places
    .map(({ kind }, index) => (kind === 'point' && fill === '*' ? '.' : fill.repeat((texts[index] ?? '').length)))
    .join('');
}
