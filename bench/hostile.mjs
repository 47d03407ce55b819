// Contents made to be slow: each is a shape that makes some converter quadratic, recursive or hungry.

/** What oj-mcp reads at most is 1 MiB; the record around the content needs some of it. */
const maxWireBytes = 1_047_000;

/** As many copies as fit, counted as the JSON that is sent. */
const fill = text => text.repeat(Math.floor(maxWireBytes / (Buffer.byteLength(JSON.stringify(text)) - 2) - 10));
const nest = (depth, open, close, inside = 'x') => open.repeat(depth) + inside + close.repeat(depth);
/** Two words of HTML in front, so that no server takes the rest for Markdown. */
const html = text => `<p>Two <b>words</b></p>${text}`;

/** A formula without its source, as KaTeX draws it. */
const katex = text => `<span class="katex"><span class="katex-html">${text}`;

/** Backtick runs of length 1, 2, 3 …: no run ever meets its twin. */
function growingRuns(character) {
  let text = '';
  for (let length = 1; text.length + length < maxWireBytes - 200; length++) text += `${character.repeat(length)} `;
  return text;
}

export const hostileInputs = [
  ['spaces in pre', () => html(`<pre>a${fill(' ')}b</pre>`)],
  ['blank lines in pre', () => html(`<pre>a${fill(' \n')}b</pre>`)],
  ['tabs and line feeds in pre', () => html(`<pre>${fill('\t\n')}</pre>`)],
  ['spaces in a paragraph', () => html(`<p>a${fill(' ')}b</p>`)],
  ['line feeds in a paragraph', () => html(`<p>a${fill('\n')}b</p>`)],
  ['nbsp entities', () => html(fill('&nbsp;'))],
  ['nbsp characters', () => html(fill('\u00a0'))],
  ['blanks between tags', () => html(fill('<i> </i> '))],
  ['200,000 li in ol', () => html(`<ol>${'<li>a'.repeat(200_000)}`)],
  ['ol from a huge start', () => html(`<ol start="99999999999999999999">${'<li>a</li>'.repeat(1000)}</ol>`)],
  ['30,000 nested div', () => html(nest(30_000, '<div>', '</div>'))],
  ['90,000 nested div', () => html(nest(90_000, '<div>', '</div>'))],
  ['200,000 unclosed div', () => html('<div>'.repeat(200_000))],
  ['2,000 nested ul/li', () => html(nest(2000, '<ul><li>a', '</li></ul>'))],
  ['50,000 nested ul/li', () => html(nest(50_000, '<ul><li>', '</li></ul>'))],
  ['100,000 unclosed b', () => html(`${'<b>'.repeat(100_000)}x`)],
  ['100,000 nested b', () => html(nest(100_000, '<b>', '</b>'))],
  ['100,000 b in a row', () => html('<b>x</b>'.repeat(100_000))],
  ['100,000 empty b', () => html('<b></b>'.repeat(100_000))],
  ['b and i crossed', () => html(fill('<b><i>x</b></i>'))],
  ['unclosed blocks', () => html(fill('<div><p>a<span><em>'))],
  ['end tags only', () => html(fill('</p></div></b>'))],
  ['end tags that match nothing, in depth', () => html('<div>'.repeat(50_000) + '</b>'.repeat(150_000))],
  ['links within links', () => html(fill('<a href="x">y'))],
  ['1,000 nested code', () => html(nest(1000, '<code>', '</code>', '`'))],
  ['50,000 nested pre', () => html(nest(50_000, '<pre>', '</pre>'))],
  ['nested sup', () => html(nest(50_000, '<sup>', '</sup>'))],
  ['sup in a row', () => html(fill('a<sup>2</sup>'))],
  ['nested sub and sup', () => html(nest(30_000, '<sub><sup>', '</sup></sub>'))],
  ['1,000 nested blockquotes', () => html(nest(1000, '<blockquote>', '</blockquote>'))],
  ['40,000 nested blockquotes', () => html(nest(40_000, '<blockquote>', '</blockquote>'))],
  [
    'lines in 60 blockquotes',
    () => html(nest(60, '<blockquote>', '</blockquote>', `<pre>${'x\n'.repeat(300_000)}</pre>`)),
  ],
  ['50,000 table rows', () => html(`<table>${'<tr><td>1</td></tr>'.repeat(50_000)}</table>`)],
  ['10,000 table columns', () => html(`<table>${`<tr>${'<td>1'.repeat(10_000)}</tr>`.repeat(20)}</table>`)],
  [
    'one wide row, many short ones',
    () => html(`<table><tr>${'<td>1'.repeat(20_000)}</tr>${'<tr><td>1'.repeat(90_000)}</table>`),
  ],
  [
    'huge colspan and rowspan',
    () => html(`<table>${'<tr><td colspan="99999999" rowspan="65534">1'.repeat(20_000)}</table>`),
  ],
  ['2,000 nested tables', () => html(nest(2000, '<table><tr><td>', '</td></tr></table>'))],
  ['cells without a table', () => html(fill('<td><tr>'))],
  ['100,000 headings', () => html('<h1>a</h1>'.repeat(100_000))],
  ['line breaks', () => html(fill('<br>'))],
  ['rules', () => html(fill('<hr>'))],
  ['images', () => html(fill('<img src="a" alt="b">'))],
  ['image with 1 MiB of alt', () => html(`<img src="a" alt="${fill('[')}">`)],
  ['image with 1 MiB of data', () => html(`<img src="data:image/png;base64,${fill('A')}">`)],
  ['link with 1 MiB of href', () => html(`<a href="${fill('(')}">y</a>`)],
  ['one attribute of 1 MiB', () => html(`<p class="${fill('a b ')}">x</p>`)],
  ['100,000 attributes', () => html(`<p ${Array.from({ length: 90_000 }, (_, i) => `a${i}=1`).join(' ')}>x</p>`)],
  ['unclosed attribute', () => html(`<a href="${fill('x')}`)],
  ['unclosed attributes in a row', () => html(fill('<a href="x'))],
  ['runs of <', () => html(fill('<'))],
  ['runs of <a', () => html(fill('<a '))],
  ['runs of </', () => html(fill('</'))],
  ['runs of <!', () => html(fill('<!'))],
  ['runs of <!--', () => html(fill('<!--'))],
  ['runs of <![CDATA[', () => html(fill('<![CDATA['))],
  ['runs of <?', () => html(fill('<?'))],
  ['runs of &', () => html(fill('&'))],
  ['runs of &#', () => html(fill('&#'))],
  ['entities without semicolon', () => html(fill('&ltamp'))],
  ['one entity of 1 MiB digits', () => html(`&#${fill('9')};`)],
  ['runs of *', () => html(fill('*'))],
  ['runs of _', () => html(fill('_'))],
  ['runs of `', () => html(fill('`'))],
  ['growing runs of `', () => html(growingRuns('`'))],
  ['growing runs of ` in code', () => html(`<code>${growingRuns('`')}</code>`)],
  ['growing runs of ` in pre', () => html(`<pre>${growingRuns('`')}</pre>`)],
  ['runs of $', () => html(fill('$$$'))],
  ['dollars and words', () => html(fill('$$$a_1 '))],
  ['runs of [', () => html(fill('['))],
  ['runs of ](', () => html(fill(']('))],
  ['runs of backslashes', () => html(fill('\\'))],
  ['runs of ~', () => html(fill('~'))],
  ['runs of |', () => html(`<table><tr><td>${fill('|')}</td></tr></table>`)],
  ['list marks at line starts', () => html(fill('<br>1. '))],
  ['hashes at line starts', () => html(fill('<p># '))],
  ['unclosed script', () => html(`<script>${fill('</scrip')}`)],
  ['scripts in a row', () => html(fill('<script>x</script>'))],
  ['unclosed style', () => html(`<style>${fill('</ style')}`)],
  ['unclosed comment', () => html(`<!--${fill('--')}`)],
  ['unclosed textarea', () => html(`<textarea>${fill('</t')}`)],
  ['unclosed title', () => html(`<title>${fill('<')}`)],
  ['hidden elements', () => html(fill('<p style="display:none">a</p>'))],
  ['one style of 1 MiB', () => html(`<p style="${fill('a:b;')}">x</p>`)],
  ['nested svg and math', () => html(nest(30_000, '<svg><math>', '</math></svg>'))],
  [
    'drawn formulas in each other',
    () => html(katex(`${'<span class="msupsub">'.repeat(250)}${'<i></i>'.repeat(140_000)}`)),
  ],
  [
    'a drawn matrix of one long column',
    () =>
      html(
        katex(
          `<span class="mtable"><span class="col-align-c"><span class="vlist">${'<span>a</span>'.repeat(30_000)}</span></span>${'<span class="col-align-c"></span>'.repeat(15_000)}`,
        ),
      ),
  ],
  [
    'drawn matrices in each other',
    () => html(`<mjx-container>${'<mjx-mtable>'.repeat(250)}${'<mjx-mtr>x</mjx-mtr>'.repeat(50_000)}`),
  ],
  ['nested mfrac', () => html(`<math>${nest(20_000, '<mfrac><mi>a</mi>', '</mfrac>')}</math>`)],
  ['options', () => html(`<select>${fill('<option>a')}`)],
  ['one word', () => html(fill('a'))],
  ['wide characters', () => html(fill('😀'))],
  ['combining marks', () => html(`a${fill('\u0301')}`)],
  ['zero-width characters', () => html(fill('\u200b'))],
  ['lone surrogates', () => html(fill('\ud800'))],
  ['NUL characters', () => html(fill('\u0000'))],
  ['Markdown: backticks', () => fill('`')],
  ['Markdown: growing runs of `', () => growingRuns('`')],
  ['Markdown: growing runs of `, then a tag', () => `${growingRuns('`')}<p>x</p>`],
  ['Markdown: fences', () => fill('```\n')],
  ['Markdown: fences of growing length', () => growingRuns('`').replaceAll(' ', '\n')],
  ['Markdown: tildes', () => fill('~~~\n')],
  ['Markdown: dollars', () => fill('$')],
  ['Markdown: dollars and <', () => fill('$<')],
  ['Markdown: backticks and <', () => fill('`<')],
  ['Markdown: all three', () => fill('`$<a')],
  ['Markdown: <', () => fill('<')],
  ['Markdown: unclosed tags', () => fill('<p x="')],
  ['Markdown: unclosed code around tags', () => fill('`<b>``')],
  ['Markdown: quotes', () => fill('>')],
  ['Markdown: quoted lines', () => fill('> > > ')],
  ['Markdown: spaces', () => `a${fill(' ')}b`],
  ['Markdown: indented lines', () => fill('    <b>\n')],
  ['Markdown: [', () => fill('[')],
  ['Markdown: links', () => fill('[a](b) ')],
].map(([name, content]) => ({ name, content }));
