import { describe, expect, test } from 'vitest';
import { createDefaultPicture, printAmount } from '../../../src/toolsets/clerk/model/currency.ts';
import { readDecimal } from '../../../src/toolsets/clerk/model/decimal.ts';
import * as fc from '../../support/property.ts';

function edited(amount: string, picture: string): string {
  return printAmount(readDecimal('amount', amount), picture).field;
}

describe('printAmount', () => {
  test.each([
    // PICTURE clauses with digits and fixed signs.
    ['12', '9(5)', '00012'],
    ['-12', '+9(3)', '-012'],
    ['12', '-9(3)', ' 012'],
    ['12', '9(3)+', '012+'],
    ['-12', '9(3)-', '012-'],
    ['0', '9(3)-', '000 '],
    ['-12', '99DB', '12DB'],
    ['12', '99DB', '12  '],
    // PICTURE clauses that replace leading zeros by blanks or stars.
    ['12', 'ZZ,ZZ9.99', '    12.00'],
    ['1234', 'Z,ZZ9', '1,234'],
    ['0.05', 'ZZZ.ZZ', '   .05'],
    ['0', 'ZZZ.ZZ', '      '],
    ['0', 'ZZZ.99', '   .00'],
    ['0', '***.**', '***.**'],
    ['0', '$**.**CR', '***.****'],
    ['1', '$**,**9.99', '$*****1.00'],
    // PICTURE clauses with floating symbols.
    ['0.05', '$$$.99', '  $.05'],
    ['5', '$$$,$$9', '     $5'],
    ['1234', '$$$,$$9', ' $1,234'],
    ['-5', '---9', '  -5'],
    ['5', '---9', '   5'],
    ['5', '+++9', '  +5'],
    ['0', '+++.++', '      '],
    ['-0.05', '---.--', '  -.05'],
    ['123', '$,$$9', ' $123'],
    ['5', '$B$$9', '   $5'],
    // PICTURE clauses in lower case, with surrounding blanks or for dates.
    ['-1234.5', '$$$,$$9.99db', ' $1,234.50DB'],
    ['1234.5', '$$$,$$9.99CR', ' $1,234.50  '],
    ['1', '$$9.99 blank zero', ' $1.00'],
    ['-5', '+(4)9', '   -5'],
    ['1022026', '99/99/9999', '01/02/2026'],
    ['123456', '  ZZZBZZZ00', '123 45600'],
    // PICTURE clauses that insert characters between digits.
    ['1234', '99B99', '12 34'],
    ['1234', '99/99', '12/34'],
    ['1234', '9(4)000', '1234000'],
    ['1', 'ZZ,999', '   001'],
    ['1', 'ZZBZZ,9', '      1'],
    ['1', '**B**9', '*****1'],
    ['5', 'BZZ9', '   5'],
    ['5', '9B', '5 '],
    ['5', '9.CR', '5.  '],
    // PICTURE clauses without a digit before the decimal point.
    ['0', '.99', '.00'],
    ['0.5', '.99', '.50'],
    ['-0.05', '-.9', '-.1'],
    // PICTURE clauses that leave the field blank for the amount zero.
    ['0', '$$9.99- BLANK WHEN ZERO', '       '],
    ['0.004', '99.99 BLANK WHEN ZERO', '     '],
    ['0.005', '99.99 BLANK WHEN ZERO', '00.01'],
  ])('prints %s with the PICTURE %s as %j', (amount, picture, formatted) => {
    expect(edited(amount, picture)).toBe(formatted);
  });
});

describe('printAmount for a PICTURE that GnuCOBOL prints differently from the COBOL standard', () => {
  test.each([
    // Q1: GnuCOBOL always prints the sign character of the PICTURE if a $ follows, also for an amount with the other
    // sign.
    ['-1234.56', '+$$$,$$$,$$9.99', '-     $1,234.56'],
    ['1234.56', '-$$$,$$$,$$9.99', '      $1,234.56'],
    ['-5', '+$ZZ9', '-$  5'],
    // Q2: COMPUTE in GnuCOBOL loses the decimals if every digit of the PICTURE is a floating symbol.
    ['9.99', '$$$,$$$.$$', '     $9.99'],
    // Q6: GnuCOBOL prints 0 and / between leading zeros although the zeros are suppressed.
    ['5', 'ZZ/ZZ/ZZ9', '        5'],
    ['5', 'Z0Z9', '   5'],
    ['5', '**/**9', '*****5'],
    ['5', '$$0$$9', '    $5'],
    // Q7: GnuCOBOL does not print a comma that precedes all digits.
    ['5', ',999', ',005'],
    // Q8: GnuCOBOL loses the sign and prints two $ if a $ floats over whole units and a sign follows.
    ['-5', '$$$-', ' $5-'],
    ['5', '$$$+', ' $5+'],
    // Q9: GnuCOBOL prints a zero instead of a blank that is inserted after the point if every digit can be suppressed.
    ['0.7', 'ZZ.BZ', '  . 7'],
    // Q10: GnuCOBOL has one digit less if only one floating symbol precedes the first comma.
    ['294.05', '$,$$9.9', ' $294.1'],
    ['-294', '-,--9', ' -294'],
  ])('prints %s with the PICTURE %s as %j', (amount, picture, formatted) => {
    expect(edited(amount, picture)).toBe(formatted);
  });

  test('returns a SIZE ERROR for an amount with one digit too many if a $ precedes a floating minus (difference Q5)', () => {
    expect(edited('-99999.99', '$---,--9.99')).toBe('$-99,999.99');
    expect(() => edited('100000', '$---,--9.99')).toThrow('SIZE ERROR: 100000 has 6 digits');
  });
});

describe('the field in the result of format_currency', () => {
  /**
   * Generates signed amounts of up to 31 digits and a number of decimals, so that many of them must be rounded to
   * cents.
   */
  const amounts = fc
    .tuple(fc.constantFrom('', '-'), fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.nat({ max: 8 }))
    .map(([sign, units, scale]) => ({ sign, units, scale }));

  test('contains the amount rounded to cents', () => {
    fc.assert(
      fc.property(amounts, ({ sign, units, scale }) => {
        const { field, picture, rounded } = printAmount(readDecimal('amount', `${sign}${units}e-${scale}`));
        const [, dollars = '', cents = '', minus = ''] = /^ *\$([0-9,]+)\.([0-9]{2})([- ])$/.exec(field) ?? [];
        const divisor = 10n ** BigInt(scale);
        const [whole, rest] = [(units * 100n) / divisor, (units * 100n) % divisor];
        const expected = 2n * rest >= divisor ? whole + 1n : whole;
        expect(BigInt(dollars.replaceAll(',', '') + cents)).toBe(expected);
        expect(dollars).toMatch(/^[0-9]{1,3}(,[0-9]{3})*$/);
        expect(minus).toBe(sign === '-' && expected !== 0n ? '-' : ' ');
        expect(rounded).toBe(rest !== 0n);
        expect(field).toHaveLength(picture.length);
      }),
      { numRuns: 10_000 },
    );
  });

  test.each(['-(9)9.99', '+(9)9.99', 'Z(9)9.99-', '9(10).99+', '-9(10).99', '--,---,---,--9.99', '-Z,ZZZ,ZZZ,ZZ9.99'])(
    'contains the rounded amount for the PICTURE %s',
    picture => {
      fc.assert(
        fc.property(fc.integer({ min: -999_999_999, max: 999_999_999 }), fc.nat({ max: 9 }), (cents, mill) => {
          const sign = cents < 0 ? -1 : 1;
          const size = Math.abs(cents);
          const amount = `${sign < 0 ? '-' : ''}${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}${mill}`;
          const printed = edited(amount, picture)
            .replace(/[ ,+]/g, '')
            .replace(/^(.*)-$/, '-$1');
          const expected = sign * (size + (mill >= 5 ? 1 : 0));
          expect(Math.round(Number(printed) * 100) + 0).toBe(expected + 0);
        }),
        { numRuns: 1000 },
      );
    },
  );

  test('has room for amounts of up to 38 digits, and a comma between groups of three, if no PICTURE is given', () => {
    for (let digits = 1; digits <= 36; digits++) {
      const amount = readDecimal('amount', `1e${digits - 1}`);
      const { field, picture } = printAmount(amount);
      expect(field.trim().replace(/[$,]/g, '')).toBe(`1${'0'.repeat(digits - 1)}.00`);
      expect(picture).toBe(createDefaultPicture(amount));
      expect(picture).toMatch(/^\${2,4}(,\${3})*,\$\$9\.99-$/);
    }
  });
});
