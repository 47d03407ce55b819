import { statementMarkdown } from '../../../src/statement/index.ts';
import { readSamples } from '../../../src/statement/samples.ts';
import { defineReader, repeat } from '../../fuzz/pump/reader.ts';
import { invisible } from '../../fuzz/pump/readers/core.ts';
import { hostileInputs } from '../hostile.mjs';

const statement = defineReader({
  name: 'statement',
  // The cases repeat single pieces of text that are slow in some implementations. growth.test.ts counts the steps for
  // combinations of pieces.
  cases: [
    ...hostileInputs.map(({ name, content }) => ({ name, content: (bytes: number) => Buffer.from(content(bytes)) })),
    ...repeat(invisible, '<p>a'),
    ...repeat(['- ```\n  a\n', '> ```\n> a\n\n', '- ~~~\n\n', '- '], '# T\n\n<b>x</b>\n\n'),
    ...repeat(['<span class="a">', '<a href="b">c</a> ', '<b a=', "<i a='", '<u a '], '# T\n\nx '),
  ],
  read: input => statementMarkdown(input.toString('utf8'), 'https://judge.example/problems/4/a'),
});

const samples = defineReader({
  name: 'samples',
  cases: [
    ...repeat([
      'Input\n',
      '```\n',
      '```\n1\n```\n',
      '<pre>1</pre>',
      '**Input:** 1\n',
      'Example 1:\n',
      '输入样例',
      ' ',
      ':',
      '*',
    ]),
    ...repeat(['Input', '#', ' ', '_', '1', '~~~', '>'], '### '),
    ...repeat(['`', '~', ' ', '> '], '```text\n'),
  ],
  read: input => readSamples(input.toString('utf8')),
});

export const readers = [statement, samples];
