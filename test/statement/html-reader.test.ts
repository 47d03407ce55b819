import { Tokenizer } from 'htmlparser2';
import { expect, test, vi } from 'vitest';
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

const plainTags = [
  '<p class="a">x &lt; 1 < 2<br /><b>y</b></p>',
  'a < b <1 <@c <[d <`e <{f <"g <>h <',
  '<a></a><z></z><h1></h1><a0></a0><a9-b></a9-b>',
  '<p  a="1"\n\tb="2"\r\fc="3" >',
  '<p >\n</p>',
  '<p a-1="1" z9="2">',
  '<p a="&amp;" b="<>" c="" a="2">',
  '<br/><br /><br a="1"/><br a="1" />',
  '<x-y>a</x-y><x-y a="1"><x-y/>',
  '</x-y>',
  '',
];
const unusualTags = [
  '<P>|<Z>|<p{>a</p{>|<p:>a</p:>|<p_>|<p:q>|<p@>|<p[>|<p`>|<p{>|<p.>|<p,>|<p"a="1">|<p',
  `<p a>|<p a >|<p a='1'>|<p a=1>|<p a ="1">|<p a= "1">|<p a="1"b="2">|<p a="1|<p ="1">`,
  '<p A="1">|<p 1="1">|<p -a="1">|<p a_="1">|<p / >|<p/ >|<p a="1"/ >|<p a="1" / >|<p <b>',
  '</P>|</p >|</>|</1>|</-a>|</p|</p_>|</|<!-- a -->|<!a>|<?a>|<!|<?',
  '<x-y>|</x-y><x-y>|<script>a</script>|<title>a</title>|<style>|<textarea>|<plaintext>',
].flatMap(row => row.split('|'));

test.each([
  ...plainTags.map(html => [html, 0] as const),
  ...unusualTags.flatMap(html => [[html, 1] as const, [`<p>a${html}b`, 1] as const]),
])('HtmlReader parses %j with %i calls of htmlparser2 and returns the same tags', (html, calls) => {
  const expected = told(Htmlparser2Reader, html);
  const write = vi.spyOn(Tokenizer.prototype, 'write');
  try {
    expect(told(HtmlReader, html)).toEqual(expected);
    expect(write).toHaveBeenCalledTimes(calls);
  } finally {
    write.mockRestore();
  }
});

test.each(['<svg><svg></svg><a-b>x', '<svg><a-b>x<p>y<a-b>z', '<svg></p><a-b>x', '<math><a-b>x</math><a-b>y'])(
  'HtmlReader and htmlparser2 agree where SVG and MathML end: %s',
  html => {
    expect(told(HtmlReader, html)).toEqual(told(Htmlparser2Reader, html));
  },
);
