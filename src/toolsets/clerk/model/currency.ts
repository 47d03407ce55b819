import { Failure } from '../../../errors/failure.ts';
import { countIntegerDigits, type Decimal, formatDecimal, maxDigits, roundDecimal } from './decimal.ts';
import { formatAmount } from './edit.ts';
import { type CobolPicture, readPicture } from './picture.ts';

/** An amount in the form in which the COBOL statement COMPUTE … ROUNDED stores it in a field with a PICTURE clause. */
export interface PrintedAmount {
  /** The complete field, including its padding. */
  field: string;
  picture: string;
  rounded: boolean;
  /** True if the amount is negative and the COBOL PICTURE clause has no place for a sign. */
  isSignLost: boolean;
}

export function printAmount(amount: Decimal, pictureText?: string): PrintedAmount {
  const picture = readPicture(pictureText ?? createDefaultPicture(amount));
  const stored = roundDecimal(amount, picture.decimalDigits);
  checkFit(picture, stored);
  return {
    field: formatAmount(picture, stored),
    picture: picture.text,
    rounded: stored.scale !== amount.scale || stored.units !== amount.units,
    isSignLost: stored.units < 0n && !picture.isSigned,
  };
}

const currencyDecimals = 2;
const defaultIntegerDigits = 11;

/**
 * Returns the COBOL PICTURE clause for dollars and cents with a trailing minus. For long amounts, groups of three
 * digits are added.
 */
export function createDefaultPicture(amount: Decimal): string {
  const needed = countIntegerDigits(roundDecimal(amount, currencyDecimals));
  const groups = Math.max(0, Math.ceil((needed - defaultIntegerDigits) / 3));
  const places = Math.min(defaultIntegerDigits + 3 * groups, maxDigits - currencyDecimals);
  const digits = `${'$'.repeat(places - 1)}9`.replace(/.(?=(?:...)+$)/g, '$&,');
  return `$${digits}.99-`; // one $ more than digits: the symbol takes one place
}

function checkFit({ text, integerDigits }: CobolPicture, stored: Decimal): void {
  const needed = countIntegerDigits(stored);
  if (needed <= integerDigits) return;
  throw new Failure(
    'refused',
    `SIZE ERROR: ${formatDecimal(stored)} has ${needed} digits before the point, and PICTURE ${text} holds ${integerDigits}.`,
    { hint: `Nothing was cut off. Use a wider PICTURE; it can have at most ${maxDigits} digits.` },
  );
}
