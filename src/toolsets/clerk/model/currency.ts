import { Failure } from '../../../errors/failure.ts';
import { countIntegerDigits, type Decimal, maxDigits, plain, roundDecimal } from './decimal.ts';
import { editAmount } from './edit.ts';
import { type Picture, readPicture } from './picture.ts';

/** An amount as COBOL prints it: COMPUTE … ROUNDED into a field of that PICTURE. */
export interface Currency {
  /** The whole field, its padding included. */
  field: string;
  picture: string;
  rounded: boolean;
  /** The amount is negative and the PICTURE has no sign to show it. */
  isSignLost: boolean;
}

export function printCurrency(amount: Decimal, pictureText?: string): Currency {
  const picture = readPicture(pictureText ?? defaultPicture(amount));
  const stored = roundDecimal(amount, picture.decimalDigits);
  checkFit(picture, stored);
  return {
    field: editAmount(picture, stored),
    picture: picture.text,
    rounded: stored.scale !== amount.scale || stored.units !== amount.units,
    isSignLost: stored.units < 0n && !picture.isSigned,
  };
}

const currencyDecimals = 2;
const defaultIntegerDigits = 11;

/** Dollars and cents with a trailing minus, wider by whole groups of three when the amount needs it. */
export function defaultPicture(amount: Decimal): string {
  const needed = countIntegerDigits(roundDecimal(amount, currencyDecimals));
  const groups = Math.max(0, Math.ceil((needed - defaultIntegerDigits) / 3));
  const places = Math.min(defaultIntegerDigits + 3 * groups, maxDigits - currencyDecimals);
  const digits = `${'$'.repeat(places - 1)}9`.replace(/.(?=(?:...)+$)/g, '$&,');
  return `$${digits}.99-`; // one $ more than digits: room for the symbol
}

function checkFit({ text, integerDigits }: Picture, stored: Decimal): void {
  const needed = countIntegerDigits(stored);
  if (needed <= integerDigits) return;
  throw new Failure(
    'refused',
    `SIZE ERROR: ${plain(stored)} has ${needed} digits before the point, and PICTURE ${text} holds ${integerDigits}.`,
    { hint: `Nothing was cut off. Draw a wider PICTURE; ${maxDigits} digits are the most it can have.` },
  );
}
