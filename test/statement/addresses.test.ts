import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { escapeMarkdownLinks, isAllowedAddress, sanitizeAddressField } from '../../src/statement/address.ts';
import { ConversionBudget } from '../../src/statement/budget.ts';
import { sanitizeMarkdownAddresses } from '../../src/statement/commonmark/addresses.ts';
import { statementMarkdown } from '../../src/statement/index.ts';
import { parseUrl } from '../../src/text/url.ts';
import * as fc from '../support/property.ts';

const base = 'https://judge.example/problems/4/a';

test.each([
  ['[a](javascript:x)', 'a'],
  ['[a **b**](JavaScript:x "t") c', 'a **b** c'],
  ['![a](data:text/html,x)', 'a'],
  ['![](data:text/html,x)', '(picture)'],
  ['[a](<vbscript: x>)', 'a'],
  ['[a](&#106;avascript&colon;x)', 'a'],
  ['[a](java\\script:x)', '[a](java\\script:x)'],
  ['[a](javascript\\:x)', 'a'],
  ['<javascript:x> b', ' b'],
  ['vector<std::string>', 'vector\\<std::string>'],
  ['[a][b] [b] [c][]\n\n[b]: javascript:x\n[c]: ftp://x', 'a b c\n\n\n'],
  ['![p]\n\n[p]: data:image/png;base64,AAAA', 'p\n\n'],
  ['> [a](\n> javascript:x)', '> a'],
  ['[a [b](javascript:x) c](javascript:y)', 'a b c'],
  ['[![a](data:x)](javascript:y)', 'a'],
  ['- ```\n[a](javascript:x)', '- ```\na'],
])(
  'statementMarkdown removes a link or image address with a rejected scheme and keeps the text: %j',
  (text, expected) => {
    expect(statementMarkdown(text, base)).toBe(expected);
  },
);

test.each([
  ['`[a](javascript:x)` and ``[b](data:x)``'],
  ['```\n[a](javascript:x)\n```'],
  ['- item\n\n  ~~~\n  [a](javascript:x)\n  ~~~'],
  ['text\n\n    [a](javascript:x)\n'],
  ['\\[a](javascript:x'],
  ['[a](mailto:me@x.example) <https://x.example> <me@x.example>'],
  ['dp[i](j) = a[0](x: 5)'],
  ['[NOIP2002] a [b]: c'],
])('statementMarkdown leaves code, allowed addresses and text that is not a link unchanged: %j', text => {
  expect(statementMarkdown(text, base)).toBe(text);
});

test.each([
  [
    '![](/a.png) [b](c.html#d) [e](#f)',
    '![](https://judge.example/a.png) [b](https://judge.example/problems/4/c.html#d) [e](https://judge.example/problems/4/a#f)',
  ],
  ['[a][b]\n\n[b]: ../c.html "T"', '[a][b]\n\n[b]: https://judge.example/problems/c.html "T"'],
  ['[a](//x.example/b)', '[a](https://x.example/b)'],
])('statementMarkdown resolves a relative address against the problem URL: %j', (text, expected) => {
  expect(statementMarkdown(text, base)).toBe(expected);
});

test('statementMarkdown leaves a relative address unchanged when the problem URL is unknown', () => {
  expect(statementMarkdown('![](/a.png)', undefined)).toBe('![](/a.png)');
});

test.each([
  ['[NOIP2002] f[i](x', '[NOIP2002] f[i](x'],
  ['![a](https://x.example/b)', '![a]\\(https://x.example/b)'],
  ['a [b](c)', 'a [b]\\(c)'],
  ['<javascript:x> vector<int>', '\\<javascript:x> vector<int>'],
])('escapeMarkdownLinks keeps the brackets of a title and disables its links: %j', (text, expected) => {
  expect(escapeMarkdownLinks(text)).toBe(expected);
});

test.each(['javascript:x', 'java\tscript:x', ' \0data:x', 'ftp://x.example', '<javascript:x>'])(
  'sanitizeAddressField rejects the address %j',
  address => {
    expect(sanitizeAddressField(address)).toBeUndefined();
  },
);

test.each(['https://x.example/a', 'HTTP://x.example', '/problems/1', 'mailto:a@x.example', 'a/b:c'])(
  'sanitizeAddressField accepts the address %j',
  address => {
    expect(sanitizeAddressField(address)).toBe(address);
  },
);

/** The generated text consists of these pieces. They open, close, hide or disguise links, blocks and code. */
const pieces = [
  ['[', ']', '](', ')', '!', '![', '(', '<', '>', '\\', '`', '``', '"', "'", '|', '*', '_', '$', '$$', '&', ' ', '  '],
  [
    '\n',
    '\n\n',
    '\n> ',
    '> ',
    '\n- ',
    '- ',
    '\n1. ',
    '\n2) ',
    '    ',
    '\n    ',
    '\t',
    '\n\t',
    '\r\n',
    '\n```\n',
    '```',
    '\n~~~\n',
  ],
  [
    'javascript:x',
    'JAVASCRIPT:x',
    'vbscript:x',
    'data:text/html,x',
    'file:///x',
    'java\tscript:x',
    '\u0001javascript:x',
  ],
  [
    '&#106;avascript:x',
    'javascript&colon;x',
    'java&Tab;script:x',
    '&#x6a;avascript:x',
    'javascript\\:x',
    'javascript&#58;x',
  ],
  ['https://x.example', 'mailto:a@x.example', '/a.png', '#b', 'x', 'word', '::', ':', 'a: b'],
  [
    '[x]',
    '[x]: ',
    '\n[x]: ',
    '[X][]',
    '[a][x]',
    '<javascript:x>',
    '<x:',
    '[a](javascript:x)',
    '![](data:x)',
    '(javascript:x)',
  ],
  [
    '<div>',
    '</div>',
    '<foo>',
    '\n<foo>\n',
    '<foo title="',
    '<pre>',
    '</pre>',
    '<!--',
    '-->',
    '<b>',
    '</b>',
    '<p>',
    '<code>',
    '</code>',
  ],
  [
    '\n| a | b |\n| --- | --- |\n| ',
    ' | ',
    '\n---\n',
    '\n===\n',
    '# ',
    '\n# ',
    '\u00a0',
    '\u200b',
    '\u3000',
    '*[',
    ']**',
    '" title',
  ],
].flat();

const text = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 24 }).map(list => list.join(''));

/** Returns the addresses of all links and images after rendering by markdown-it. */
function renderedAddresses(markdown: string, html: boolean): string[] {
  const renderer = new MarkdownIt({ html });
  renderer.validateLink = () => true;
  return renderer.parse(markdown, {}).flatMap(({ children }) => {
    const found = (children ?? []).map(token => token.attrGet('href') ?? token.attrGet('src'));
    return found.filter(address => address !== null).map(String);
  });
}

function schemeOf(address: string): string {
  return parseUrl(address, base)?.protocol ?? 'none';
}

const allowed = new Set(['http:', 'https:', 'mailto:', 'none']);

test.each([
  ['Markdown', (source: string): string => sanitizeMarkdownAddresses(source, base, new ConversionBudget())],
  ['a statement', (source: string): string => statementMarkdown(source, base)],
])('markdown-it renders no rejected address from the converted text of %s, with and without HTML', (_, convert) => {
  fc.assert(
    fc.property(text, source => {
      const markdown = convert(source);
      for (const html of [false, true]) {
        for (const address of renderedAddresses(markdown, html)) {
          expect(
            allowed.has(schemeOf(address)),
            `${JSON.stringify(source)} -> ${JSON.stringify(markdown)}: ${address}`,
          ).toBe(true);
          expect(isAllowedAddress(address)).toBe(true);
        }
      }
    }),
    { numRuns: 3000, seed: 7 },
  );
});

test('sanitizeMarkdownAddresses does not change Markdown whose addresses are all absolute and allowed', () => {
  const plain = text.filter(
    source => renderedAddresses(source, true).length + renderedAddresses(source, false).length === 0,
  );
  fc.assert(
    fc.property(plain, source => {
      fc.pre(!/javascript|data:|vbscript|file:|\[x\]: /i.test(source));
      expect(sanitizeMarkdownAddresses(source, undefined, new ConversionBudget())).toBe(source);
    }),
    { numRuns: 1000, seed: 7 },
  );
});
