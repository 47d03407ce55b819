import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Failure } from '../../../src/errors/failure.ts';
import { printAmount } from '../../../src/toolsets/clerk/model/currency.ts';
import { readDecimal } from '../../../src/toolsets/clerk/model/decimal.ts';
import * as fc from '../../support/property.ts';

/**
 * For these PICTURE clauses GnuCOBOL follows the standard, unlike those in edit.test.ts. They are not in
 * oracle-sample.txt.
 */
const pictures = [
  '$$$,$$$,$$$,$$9.99-',
  '$$$,$$$,$$$,$$9.99+',
  '$$$,$$$,$$$,$$9.99DB',
  '$(9).99',
  '$$$,$$$.99-',
  '$$$$9',
  '$$,$$9.9',
  '$9(7).999',
  '+++,+++,++9.99',
  '+++9.9(4)',
  '++++.99',
  '-(8)9',
  '--9.9',
  '-----.99',
  '+Z,ZZ9.99',
  '-Z(6)9.99',
  'Z(8)9',
  'ZZZ.99',
  'ZZ,ZZZ.99DB',
  'Z,ZZ9.999+',
  'ZZBZZ9.99-',
  'ZZZ,999',
  '***,***.99',
  '*(9)9.99',
  '**,**9.99-',
  '+**,**9',
  '-*(4).9',
  '$*,***,**9.99DB',
  '9',
  '9(18)',
  '.999',
  '9B999B999',
  '9(3)B9(3).9B9-',
  '9/9/9',
  '990.0099',
  '9(4)00',
  '-9(4)B',
  '+99,99',
  '9(12)CR',
  'B9(6).99',
  '$$$,$$9.99 BLANK WHEN ZERO',
  '---,--9.99 BLANK WHEN ZERO',
  '9(6).99- BLANK WHEN ZERO',
];

/** Generates amounts with few decimals. Many of them end with half a unit or exceed the largest number of a field. */
const amounts = fc
  .tuple(
    fc.constantFrom('+', '-'),
    fc.oneof(fc.nat({ max: 9999 }), fc.nat({ max: 10 ** 9 }), fc.maxSafeNat()).map(String),
    fc.oneof(fc.constantFrom('0', '5', '05', '005', '0049', '995', '9995', '99'), fc.nat({ max: 999_999 }).map(String)),
  )
  .map(([sign, whole, fraction]) => ({ sign, whole, fraction }));

/**
 * Returns a COBOL program that reads amounts from a file and prints the result of COMPUTE … ROUNDED for each PICTURE.
 */
function oracleSource(): string {
  const fields = pictures.map((picture, index) => `01 field-${index} pic ${picture}.`);
  const steps = pictures.map(
    (_, index) => `    compute field-${index} rounded = amount
      on size error display "SIZE ERROR"
      not on size error display "|" field-${index} "|"
    end-compute`,
  );
  return `identification division.
program-id. oracle.
environment division.
input-output section.
file-control.
  select amounts assign to "amounts.txt" organization line sequential.
data division.
file section.
fd amounts.
01 amount pic s9(19)v9(19) sign leading separate.
working-storage section.
01 is-at-end pic 9 value 0.
${fields.join('\n')}
procedure division.
  open input amounts
  perform until is-at-end = 1
    read amounts at end move 1 to is-at-end not at end
${steps.join('\n')}
    end-read
  end-perform
  close amounts
  stop run.
`;
}

function runOracle(lines: readonly string[]): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'clerk-oracle-'));
  try {
    writeFileSync(path.join(folder, 'oracle.cob'), oracleSource());
    writeFileSync(path.join(folder, 'amounts.txt'), `${lines.join('\n')}\n`);
    const compiled = spawnSync('cobc', ['-x', '-free', 'oracle.cob'], { cwd: folder, encoding: 'utf8' });
    expect(compiled).toMatchObject({ status: 0, stderr: '' });
    const run = spawnSync('./oracle', { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 });
    expect(run).toMatchObject({ status: 0, stderr: '' });
    return run.stdout.trimEnd().split('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function printed(amount: string, picture: string): string {
  try {
    return `|${printAmount(readDecimal('amount', amount), picture).field}|`;
  } catch (error) {
    if (error instanceof Failure && error.message.startsWith('SIZE ERROR')) return 'SIZE ERROR';
    throw error;
  }
}

test('printAmount prints the same as GnuCOBOL for 2,000 random amounts and all PICTUREs', context => {
  const hasCompiler = spawnSync('cobc', ['--version']).status === 0;
  if (!hasCompiler) context.skip('GnuCOBOL is not installed (apt-get install gnucobol3)');
  const sample = fc.sample(amounts, 2000);
  const lines = sample.map(
    ({ sign, whole, fraction }) => `${sign}${whole.padStart(19, '0')}${fraction.padEnd(19, '0')}`,
  );
  const theirs = runOracle(lines);
  const ours = sample.flatMap(({ sign, whole, fraction }) =>
    pictures.map(picture => ({ picture, amount: `${sign}${whole}.${fraction}` })),
  );
  expect(new Set(pictures).size).toBeGreaterThanOrEqual(40);
  expect(theirs).toHaveLength(ours.length);
  const disagreeing = ours
    .map(({ picture, amount }, index) => ({ picture, amount, ours: printed(amount, picture), theirs: theirs[index] }))
    .filter(row => row.ours !== row.theirs);
  expect(disagreeing.slice(0, 10)).toEqual([]);
});
