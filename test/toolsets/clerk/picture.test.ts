import { describe, expect, test } from 'vitest';
import { Failure } from '../../../src/errors/failure.ts';
import { readPicture } from '../../../src/toolsets/clerk/model/picture.ts';
import * as fc from '../../support/property.ts';

function errorOf(text: string): string {
  try {
    readPicture(text);
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
  return 'none';
}

describe('readPicture', () => {
  test.each([
    ['$$$,$$9.99-', 5, 2],
    ['9(5)', 5, 0],
    ['9', 1, 0],
    ['.99', 0, 2],
    ['$9.9', 1, 1],
    ['-$$9', 2, 0],
    ['$--9', 2, 0],
    ['+B$$9', 2, 0],
    ['--', 1, 0],
    ['$,$$9', 3, 0],
    ['$B$9', 2, 0],
    ['zz9.99cr', 3, 2],
    ['-.9', 0, 1],
    ['--.9', 1, 1],
    ['ZZ.ZZ', 2, 2],
    ['.**', 0, 2],
    ['$(3).$(2)', 2, 2],
    ['+++.++', 2, 2],
    ['9.CR', 1, 0],
    ['9(36).99', 36, 2],
    ['$(39)', 38, 0],
    ['B(200)9', 1, 0],
    ['  99  ', 2, 0],
    ['ZZ9 BLANK WHEN ZERO', 3, 0],
    ['ZZ9 blank  zero ', 3, 0],
  ])('reads from %j %i digits before the decimal point and %i after it', (text, integerDigits, decimalDigits) => {
    expect(readPicture(text)).toMatchObject({ integerDigits, decimalDigits });
  });
});

describe('the error for an invalid PICTURE', () => {
  test.each([
    ['$-99', 'at character 3, "9": it cannot follow "-"'],
    ['B$99', 'at character 2, "$": it cannot follow "B"'],
    ['B+99', 'at character 3, "9": it cannot follow "+"'],
    ['+9-', 'at character 3, "-": it cannot follow "+"'],
    ['-9-', 'at character 3, "-": it cannot follow "9"'],
    ['++9-', 'at character 4, "-": it cannot follow "+"'],
    ['9--', 'at character 2, "-": it cannot follow "9"'],
    ['-9CR', 'at character 3, "CR": it cannot follow "-"'],
    ['--9DB', 'at character 4, "DB": it cannot follow "-"'],
    ['9CRCR', 'at character 4, "CR": it cannot follow "CR"'],
    ['9CR9', 'at character 4, "9": it cannot follow "CR"'],
    ['CR9', 'at character 3, "9": it cannot follow "CR"'],
    ['9-B', 'at character 3, "B": it cannot follow "-"'],
    ['9..9', 'at character 3, ".": it cannot follow "."'],
    ['9.9.9', 'at character 4, ".": it cannot follow "."'],
    ['9.', 'at character 2, ".": it cannot come last'],
    ['Z*9', 'at character 2, "*": it cannot follow "Z"'],
    ['$$Z9', 'at character 3, "Z": it cannot follow "$"'],
    ['--$9', 'at character 3, "$": it cannot follow "-"'],
    ['$$--9', 'at character 3, "-": it cannot follow "$"'],
    ['+--9', 'at character 2, "-": it cannot follow "+"'],
    ['Z9Z', 'at character 3, "Z": it cannot follow "9"'],
    ['Z9.ZZ', 'at character 4, "Z": it cannot follow "9"'],
    ['ZZ.Z9', 'at character 5, "9": it cannot follow "Z"'],
    ['$$.$9', 'at character 5, "9": it cannot follow "$"'],
    ['ZZ9.99$', 'at character 7, "$": it cannot follow "9"'],
    ['$.$$', 'at character 3, "$": two "$" must precede the point'],
    ['.$$', 'at character 2, "$": it cannot follow "."'],
    ['  9(2)9Z', 'at character 8, "Z": it cannot follow "9"'],
    ['**9 BLANK WHEN ZERO', 'at character 1, "*": BLANK WHEN ZERO does not go with it'],
    ['9 9', 'at character 3, "9": only BLANK WHEN ZERO may follow the symbols'],
    ['X(5)', 'at character 1, "X": this is not an editing symbol'],
    ['99V99', 'at character 3, "V": this is not an editing symbol'],
    ['S99', 'at character 1, "S": this is not an editing symbol'],
    ['9€', 'at character 2, "€": this is not an editing symbol'],
    ['9💶9', 'at character 2, "💶": this is not an editing symbol'],
    ['9C', 'at character 2, "C": this is not an editing symbol'],
    ['9(', 'at character 2, "(": this is not an editing symbol'],
    ['9(2)(2)', 'at character 5, "(": this is not an editing symbol'],
    ['9()', 'at character 1, "9": a repeat count is a number of at least 1 in brackets, as in 9(5)'],
    ['Z(0)9', 'at character 1, "Z": a repeat count is a number of at least 1 in brackets, as in 9(5)'],
    ['9(-1)', 'at character 1, "9": a repeat count is a number of at least 1 in brackets, as in 9(5)'],
    ['9(1e9)', 'at character 1, "9": a repeat count is a number of at least 1 in brackets, as in 9(5)'],
    ['9(999999999999)', 'at character 1, "9": this makes more than 255 symbols'],
    ['B(200)9B(200)', 'at character 8, "B": this makes more than 255 symbols'],
    ['9(39)', 'at character 1, "9": it has 39 digits, and COBOL allows 38'],
    ['Z(30).Z(9)', 'at character 7, "Z": it has 39 digits, and COBOL allows 38'],
  ])('states the position of the fault in %j: %s', (text, fault) => {
    expect(errorOf(text)).toBe(`"picture" is invalid ${fault}.`);
  });

  test.each(['', '   ', '$', '-', '+$', 'B', '0/', ',', 'CR'])('states that %j has no place for a digit', text => {
    expect(errorOf(text)).toBe('"picture" is invalid: it has no place for a digit, such as 9, Z or a second $.');
  });
});

test('readPicture returns a PICTURE or throws a Failure for any text', () => {
  const symbols = fc.array(
    fc.constantFrom('9', 'Z', '*', '$', '+', '-', '.', ',', 'B', '0', '/', 'CR', 'DB', '(3)', ' '),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        symbols.map(list => list.join('')),
        fc.string({ unit: 'binary' }),
      ),
      text => {
        expect(typeof errorOf(text)).toBe('string');
      },
    ),
    { numRuns: 5000 },
  );
});
