import { expect, test } from 'vitest';
import { mutantsOf } from './places.mjs';

const source = `export function f(a: 1 | 2, b?: { c: 3 }): number {
  if (a > 1 && !b?.c) log(a);
  return { d: a === 2 ? 5 : -a }.d ?? (a as 4);
}`;

test('mutantsOf lists the operators, conditions, numbers and calls of a source, but not its types', () => {
  expect(mutantsOf('src/f.ts', source).map(({ change }) => change)).toEqual([
    'src/f.ts:2 a > 1 && !b?.c → false',
    'src/f.ts:2 && → ||',
    'src/f.ts:2 > → >=',
    'src/f.ts:2 1 → 2',
    'src/f.ts:2 ! → ',
    'src/f.ts:2 log(a); → nothing',
    'src/f.ts:3 ?? → &&',
    'src/f.ts:3 a === 2 → false',
    'src/f.ts:3 === → !==',
    'src/f.ts:3 2 → 3',
    'src/f.ts:3 5 → 6',
  ]);
});

test('the code of a mutant contains the original and the changed expression behind its switch', () => {
  const codes = mutantsOf('src/f.ts', source).map(({ code }) =>
    code(({ start, end }: { start: number; end: number }) => source.slice(start, end)),
  );
  expect(codes.slice(0, 3)).toEqual([
    'if (!$SWITCH && (a > 1 && !b?.c)) log(a);',
    '($SWITCH ? (a > 1) || (!b?.c) : (a > 1) && (!b?.c))',
    '($SWITCH ? (a) >= (1) : (a) > (1))',
  ]);
  expect(codes.slice(4, 6)).toEqual(['($SWITCH ? (b?.c) : !(b?.c))', '{ if (!$SWITCH) log(a); }']);
});
