import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ConversionBudget } from '../../src/statement/budget.ts';
import { statementMarkdown, statementPlainText } from '../../src/statement/index.ts';
import { readSamples } from '../../src/statement/samples.ts';
import { removeInvisibleCharacters } from '../../src/text/invisible.ts';
import { formulaPage } from './approved/formulas.ts';
import { Generator } from './approved/generator.ts';
import { markdownStatement, page, styledPage } from './approved/pages.ts';
import { sampleStatement } from './approved/samples.ts';

const problemUrl = 'https://judge.example/problems/4/a';

/**
 * Lists generated statements and their conversions, and after them a hash for each twenty further ones. A change of the
 * converter shows its effect in the difference.
 */
function listOf(make: (random: Generator) => string, convert: (source: string) => string, count = 120): string {
  const entryOf = (seed: number): string => {
    const source = make(new Generator(seed));
    const output = convert(source);
    expect(removeInvisibleCharacters(output)).toBe(output);
    return `${JSON.stringify(source).replaceAll('\u200b', '\\u200b')}\n${output.replaceAll(/^/gm, '    ')}\n`;
  };
  const further = Array.from({ length: 30 }, (_, block) => {
    const first = count + block * 20;
    const entries = Array.from({ length: 20 }, (__, index) => entryOf(first + index));
    const hash = createHash('sha256').update(entries.join('')).digest('hex').slice(0, 16);
    return `${first} to ${first + 19}: ${hash}`;
  });
  return [...Array.from({ length: count }, (_, seed) => entryOf(seed)), ...further].join('\n');
}

test.each([
  ['pages', page],
  ['styled-pages', styledPage],
  ['formulas', formulaPage],
  ['markdown', markdownStatement],
])('statementMarkdown converts generated %s to the Markdown in the snapshot', async (name, make) => {
  const list = listOf(make, source => statementMarkdown(source, problemUrl));
  await expect(list).toMatchFileSnapshot(`approved/${name}.txt`);
});

test('statementPlainText converts generated pages to the approved text', async () => {
  const list = listOf(page, statementPlainText, 40);
  await expect(list).toMatchFileSnapshot('approved/plain-text.txt');
});

test('the samples that readSamples returns for generated statements equal the samples in the approved file', async () => {
  const list = listOf(sampleStatement, source =>
    readSamples(source)
      .map(sample => JSON.stringify(sample))
      .join('\n'),
  );
  await expect(list).toMatchFileSnapshot('approved/samples.txt');
});

test.each([
  ['without an address', undefined],
  ['with too long an address', `${problemUrl}/${'x'.repeat(2000)}`],
])('statementMarkdown converts generated pages %s to the Markdown in the snapshot', async (_, address) => {
  const list = listOf(page, source => statementMarkdown(source, address), 10);
  await expect(list).toMatchFileSnapshot(`approved/pages-without-address.txt`);
});

test('the number of steps that statementMarkdown counts for each generated page equals the number in the approved file', async () => {
  const makers = { page, styledPage, formulaPage, markdownStatement };
  const lines = Object.entries(makers).flatMap(([name, make]) =>
    Array.from({ length: 100 }, (_, seed) => {
      const budget = new ConversionBudget();
      statementMarkdown(make(new Generator(seed)), problemUrl, Infinity, undefined, budget);
      const spent = Object.entries(budget).map(([kind, counter]) => `${kind} ${Reflect.get(Object(counter), 'spent')}`);
      return `${name} ${seed}: ${spent.join(', ')}`;
    }),
  );
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('approved/work.txt');
});
