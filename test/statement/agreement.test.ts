import { expect, test } from 'vitest';
import { elementTable } from '../../src/statement/elements.ts';
import { statementMarkdown } from '../../src/statement/index.ts';

const problemUrl = 'https://judge.example/problems/4/a';
const attributes = 'href="/u" src="/u" alt="picture" type="checkbox" start="3"';

/** Each form contains the same element in an HTML page and in Markdown, as a block or inline. */
const forms: Record<string, (element: string) => [page: string, markdown: string]> = {
  'by itself': element => [`<div>before</div>\n${element}\n<div>after</div>`, `before\n\n${element}\n\nafter`],
  'in a line': element => [`<p>before ${element} after</p>`, `before ${element} after`],
};

/** Removes differences of white space, because removed elements leave different white space. */
function shown(markdown: string): string {
  return markdown.replace(/\n{3,}/g, '\n\n').replace(/ {2,}(?=\S)/g, ' ');
}

// The element <plaintext> is excluded, because it contains the rest of the text, which differs between the two forms.
const cases = [...elementTable]
  .filter(([name]) => name !== 'plaintext')
  .flatMap(([name, { isVoid, treatment, kind }]) =>
    Object.keys(forms).flatMap(form => {
      const content = isVoid ? '' : `text</${name}>`;
      const plain = `<${name}>${content}`;
      const full = `<${name} ${attributes}>${content}`;
      // A void element is tested with attributes only, because `<source>` without attributes is a placeholder in
      // Markdown and not a tag.
      const tags = isVoid && treatment !== 'break' && kind !== 'HORIZONTAL' ? [full] : [plain, full];
      return tags.map(element => ({ form, element }));
    }),
  );

test.each(cases)(
  'statementMarkdown converts the element $element $form to the same result in an HTML page and in Markdown',
  ({ form, element }) => {
    const [page = '', markdown = ''] = forms[form]?.(element) ?? [];
    expect(shown(statementMarkdown(`# T\n\n${markdown}`, problemUrl))).toBe(
      `# T\n\n${shown(statementMarkdown(page, problemUrl))}`,
    );
  },
);

test.each([
  ['bold text by a style attribute', '<span style="font-weight:bold">x</span>'],
  ['a superscript by a style attribute', '10<span style="vertical-align:super">5</span>k'],
  ['code by a class name', '<span class="tex-font-style-tt">a_b</span>'],
  ['a formula', '<span class="katex"><math><mi>x</mi></math></span>'],
  ['bold text directly before a word', 'a <b>注意：</b>本题'],
  ['blanks inside bold text', 'a<b> x </b>b'],
  ['a subscript before a letter', 'a<sub>i</sub>b'],
  ['a hidden element', 'a <i hidden>x</i> b'],
  ['a comment', 'a <!-- x --> b'],
])('statementMarkdown converts %s to the same result in an HTML page and in Markdown', (_, inline) => {
  const page = statementMarkdown(`<p>${inline}</p>`, problemUrl);
  expect(statementMarkdown(`# T\n\n${inline}<br>\nx`, problemUrl)).toContain(
    page.replace(/\s+/g, ' ').split(' ')[1] ?? page,
  );
});
