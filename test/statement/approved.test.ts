import { expect, test } from 'vitest';
import { plainStatement, statementMarkdown } from '../../src/statement/index.ts';
import { readSamples } from '../../src/statement/samples.ts';
import { removeInvisible } from '../../src/text/invisible.ts';
import { formulaPage } from './approved/formulas.ts';
import { Generator } from './approved/generator.ts';
import { markdownStatement, page, styledPage } from './approved/pages.ts';
import { sampleStatement } from './approved/samples.ts';

const problemUrl = 'https://judge.example/problems/4/a';

/** Lists generated statements and their conversions. A change of the converter shows its effect in the difference. */
function listOf(make: (random: Generator) => string, convert: (source: string) => string, count = 120): string {
  const entries = Array.from({ length: count }, (_, seed) => {
    const source = make(new Generator(seed));
    const output = convert(source);
    expect(removeInvisible(output)).toBe(output);
    return `${JSON.stringify(source).replaceAll('\u200b', '\\u200b')}\n${output.replaceAll(/^/gm, '    ')}\n`;
  });
  return entries.join('\n');
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

test('plainStatement converts generated pages to the text in the snapshot', async () => {
  const list = listOf(page, plainStatement, 40);
  await expect(list).toMatchFileSnapshot('approved/plain-text.txt');
});

test('readSamples finds the approved samples of generated statements', async () => {
  const list = listOf(sampleStatement, source =>
    readSamples(source)
      .map(sample => JSON.stringify(sample))
      .join('\n'),
  );
  await expect(list).toMatchFileSnapshot('approved/samples.txt');
});
