import { expect, test } from 'vitest';
import { Htmlparser2Reader, HtmlReader, type HtmlTokenHandler } from '../../src/statement/html/reader.ts';
import * as fc from '../support/property.ts';

/**
 * Records the events of an HTML reader. Adjacent texts are joined, because the readers may split a text differently.
 */
function told(Reader: typeof HtmlReader | typeof Htmlparser2Reader, html: string): string[] {
  const events: string[] = [];
  let drawings = 0;
  let text = '';
  const add = (event: string): void => {
    if (text !== '') events.push(JSON.stringify(text));
    text = '';
    events.push(event);
  };
  const sink: HtmlTokenHandler = {
    text: piece => {
      text += piece;
    },
    open: (name, attributes, isSelfClosing) => {
      if (name === 'svg') drawings++;
      add(`<${name} ${JSON.stringify(attributes)}${isSelfClosing ? ' /' : ''}>`);
    },
    close: name => {
      if (name === 'svg') drawings--;
      add(`</${name}>`);
    },
    isInForeignContent: () => drawings > 0,
  };
  new Reader(html, sink).read();
  add('end');
  return events;
}

const names = [
  'p',
  'h1',
  'svg',
  'title',
  'textarea',
  'script',
  'style',
  'xmp',
  'iframe',
  'plaintext',
  'a-b',
  'P',
  'x:y',
];
const signs = [
  '<',
  '</',
  '>',
  '/',
  '/>',
  ' />',
  '=',
  '"',
  "'",
  '&',
  '&amp;',
  '&lt',
  '&#65;',
  '&notit;',
  '!',
  '?',
  '-->',
  '<!--',
  ']]>',
  '<![CDATA[',
];
const others = [
  ' ',
  '\n',
  '\t',
  '\f',
  'a',
  'word',
  '1',
  '-',
  '_',
  '文',
  ' class="c d"',
  ' id=x',
  ' hidden',
  " title='t'",
  ' a="&lt;b"',
  ' a="1" a="2"',
];
const tags = names.flatMap(name => [
  `<${name}>`,
  `</${name}>`,
  `<${name} class="c" data-x="&amp;">`,
  `<${name}/>`,
  `<${name}\n>`,
]);
const page = fc.array(fc.constantFrom(...names, ...signs, ...others, ...tags, ...tags), { maxLength: 24 });

test('HtmlReader returns the same tags as htmlparser2 for random pages', () => {
  fc.assert(
    fc.property(page, pieces => {
      const html = pieces.join('');
      expect(told(HtmlReader, html)).toEqual(told(Htmlparser2Reader, html));
    }),
    { numRuns: 3000 },
  );
});

test('HtmlReader parses plain tags without htmlparser2', () => {
  const html = '<p class="a">x &lt; 1 < 2<br /><b>y</b></p>';
  expect(told(HtmlReader, html)).toEqual([
    '<p {"class":"a"}>',
    '"x < 1 < 2"',
    '<br {} />',
    '<b {}>',
    '"y"',
    '</b>',
    '</p>',
    'end',
  ]);
});

test.each(['<svg><svg></svg><a-b>x', '<svg><a-b>x<p>y<a-b>z', '<svg></p><a-b>x', '<math><a-b>x</math><a-b>y'])(
  'HtmlReader and htmlparser2 agree where SVG and MathML end: %s',
  html => {
    expect(told(HtmlReader, html)).toEqual(told(Htmlparser2Reader, html));
  },
);
