import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ConversionBudget } from '../../src/statement/budget.ts';
import { statementMarkdown, statementPlainText } from '../../src/statement/index.ts';
import { readSamples } from '../../src/statement/samples.ts';
import { removeInvisibleCharacters } from '../../src/text/invisible.ts';
import { Generator } from '../support/generator.ts';
import { drawnFormulaPage } from './approved/drawn-formulas.ts';
import {
  edgePages,
  edgePlainPages,
  edgeSamples,
  type LimitCase,
  limitCases,
  sampleLimitCases,
  truncatedPages,
} from './approved/edges.ts';
import { formulaPage } from './approved/formulas.ts';
import { markdownStatement, page, styledPage } from './approved/pages.ts';
import { sampleStatement } from './approved/samples.ts';
import { declarationGroups, selectorPage, selectorSheets } from './approved/styles.ts';

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

test.each<[string, (random: Generator) => string, number?]>([
  ['pages', page],
  ['styled-pages', styledPage],
  ['formulas', formulaPage],
  ['drawn-formulas', drawnFormulaPage, 30],
  ['markdown', markdownStatement],
])('statementMarkdown converts generated %s to the Markdown in the snapshot', async (name, make, count) => {
  const list = listOf(make, source => statementMarkdown(source, problemUrl), count);
  await expect(list).toMatchFileSnapshot(`approved/${name}.txt`);
});

test('statementPlainText converts generated pages to the approved text', async () => {
  const list = listOf(page, statementPlainText, 40);
  await expect(list).toMatchFileSnapshot('approved/plain-text.txt');
});

test('the samples that readSamples returns for generated statements equal the samples in the approved file', async () => {
  const list = listOf(sampleStatement, source =>
    (readSamples(source) ?? []).map(sample => JSON.stringify(sample)).join('\n'),
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

test('statementMarkdown gives text with each declaration on both sides of a limit the approved format', async () => {
  const lines = declarationGroups().map(group => {
    const formats = group.map(style => {
      const [plain, onColor] = ['', ' bgcolor="red"'].map(color =>
        statementMarkdown(`<table${color}><tr><td>a<span style="${style}">b</span></td></tr></table>`, problemUrl),
      );
      return `${style}: ${plain}${plain === onColor ? '' : `, on a color ${onColor}`}`;
    });
    return `${formats.join('\n')}\n`;
  });
  await expect(lines.join('\n')).toMatchFileSnapshot('approved/declarations.txt');
});

test('statementMarkdown shows the elements that the approved file lists for each selector', async () => {
  const lines = selectorSheets().map(sheet => {
    const shown = statementMarkdown(`<style>${sheet}</style><p>${selectorPage}</p>`, problemUrl);
    return `${sheet.slice(0, 100)}: ${shown.replaceAll('\n', ' ')}\n`;
  });
  await expect(lines.join('')).toMatchFileSnapshot('approved/selectors.txt');
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

/** Lists the length and a hash of each result, so that a moved limit changes the list. */
function listLimits(cases: readonly LimitCase[], convert: (source: string) => string): string {
  const lines = cases.map(({ name, make, sizes }) => {
    const results = sizes.map(size => {
      const output = convert(make(size));
      return `${size}: ${output.length} ${createHash('sha256').update(output).digest('hex').slice(0, 8)}`;
    });
    return `${name}: ${results.join(', ')}\n`;
  });
  return lines.join('');
}

const markdownOf = (source: string): string => statementMarkdown(source, problemUrl);
const samplesOf = (source: string): string => (readSamples(source) ?? []).map(each => JSON.stringify(each)).join('\n');

test('statements on both sides of each limit have the approved lengths and hashes', async () => {
  const list = listLimits(limitCases, markdownOf) + listLimits(sampleLimitCases, samplesOf);
  await expect(list).toMatchFileSnapshot('approved/limits.txt');
});

test.each([
  ['the Markdown of statements', edgePages, markdownOf, 'edges.txt'],
  ['the samples of statements', edgeSamples, samplesOf, 'edge-samples.txt'],
  ['the plain text of pages', edgePlainPages, statementPlainText, 'edge-plain-text.txt'],
])('%s that decide single conditions equals the approved text', async (_, pages, convert, file) => {
  const entries = pages.map(source => `${JSON.stringify(source)}\n${convert(source).replaceAll(/^/gm, '    ')}\n`);
  await expect(entries.join('\n')).toMatchFileSnapshot(`approved/${file}`);
});

test('statementMarkdown truncates statements as the approved file lists', async () => {
  const entries = truncatedPages.map(([maxBytes, source]) => {
    const output = statementMarkdown(source, problemUrl, maxBytes);
    return `${maxBytes} ${JSON.stringify(source)}\n${output.replaceAll(/^/gm, '    ')}\n`;
  });
  await expect(entries.join('\n')).toMatchFileSnapshot('approved/truncated.txt');
});
