import { expect, test } from 'vitest';
import {
  escapeMarkdownLinks,
  isAllowedAddress,
  sanitizeAddressField,
  toAbsoluteAddress,
} from '../../src/statement/address.ts';
import { ConversionBudget } from '../../src/statement/budget.ts';
import { sanitizeMarkdownAddresses } from '../../src/statement/commonmark/addresses.ts';
import { readMarkdownLines } from '../../src/statement/commonmark/blocks.ts';
import { parseLinkDestination } from '../../src/statement/commonmark/link-destination.ts';
import { parseColor } from '../../src/statement/css/color.ts';
import { matchesSelector, type SelectableElement } from '../../src/statement/css/selector.ts';
import { parseSelectors } from '../../src/statement/css/selector-parser.ts';
import { trimTexWhiteSpace } from '../../src/statement/formula/mathml.ts';
import { LiteralText } from '../../src/statement/html/literal.ts';
import { readTagAttributes } from '../../src/statement/html/reader.ts';
import { escapeMarkdown, MarkdownMarkPairs } from '../../src/statement/markdown/escape.ts';
import { OpenTagTracker } from '../../src/statement/mixed/open-tags.ts';
import { TagScanner } from '../../src/statement/mixed/scan.ts';
import { isHtmlPage, isObviousHtmlPage } from '../../src/statement/mixed/signs.ts';
import { findLabeledValue, findSampleLabel } from '../../src/statement/sample-labels.ts';
import { type Generator, listGenerated, type Pieces, pieces } from '../support/generator.ts';

const base = 'https://judge.example/problems/4/a';

function textOf(parts: Pieces, most: number): (random: Generator) => string {
  return random => random.repeat(1, most, () => random.pick(parts));
}

const containers = pieces('> ¦>¦- ¦-    ¦*\t¦-      ¦1. ¦2) ¦10. ¦ ¦  ¦   ¦    ¦\t');
const lineParts = pieces(
  'a¦b c¦¦ ¦-¦1.¦>¦+ ¦```¦````¦``` x¦``` `¦~~~¦~~~ ~¦# a¦#¦#a¦---¦- - -¦===¦=== a¦***¦___¦--',
  '<div>¦</div>¦<pre>¦</pre>¦<!--¦-->¦<b>¦<x y="z">¦<x y="z">a¦<?¦?>¦<!A¦>',
);

function lines(random: Generator): string {
  const line = (): string => random.repeat(0, 2, () => random.pick(containers)) + random.pick(lineParts);
  return random.repeat(2, 6, line, random.pick(['\n', '\n', '\n', '\r', '\r\n']));
}

function listLines(text: string): string[] {
  return [false, true].map(hasHtml =>
    readMarkdownLines(text, hasHtml, new ConversionBudget())
      .map(({ kind, start, content, end, isContinued, opensFence }) => {
        const marks = `${isContinued ? '+' : ''}${opensFence ? '!' : ''}`;
        return `${kind}${marks}${JSON.stringify([text.slice(start, content), text.slice(content, end)])}`;
      })
      .join(' '),
  );
}

const linkParts = pieces(
  '[¦]¦](¦(¦)¦![¦<¦>¦[a]¦[b](¦[a]: ¦[c]:¦][¦[]¦a¦b¦\\¦`¦``¦|¦:¦ ¦\n¦\n\n¦/d¦"t"¦ "t"¦ \'t\'¦ (t)¦javascript:x¦javascript&colon;x¦https://e.example¦mailto:f',
  '<javascript:y>¦<std::z>¦<https://g.example>¦<b title="¦">¦<i>¦</i>¦    ¦- ¦&amp;¦<javascript:x>¦](javascript:x)¦](javascript:x',
);
const destinations = pieces('a¦/b¦<¦>¦(¦)¦\\¦"¦\'¦ ¦\n¦\t¦\x7f¦\\)¦"c"¦(c)¦ "c")¦<d>');
const addresses = pieces(
  'a¦/¦//¦?¦#¦:¦http¦https¦mailto¦javascript¦data¦ ¦\t¦\x01¦\u00a0¦\u200b¦(¦)¦[¦]¦](¦<¦>¦&amp;¦&lt¦"¦\\¦%¦%20¦é¦b.example¦1¦+¦.',
);
const colors = pieces(
  '#¦f¦0¦e¦8¦ff¦00¦rgb(¦rgba(¦hsl(¦hsla(¦)¦)¦,¦ ¦/¦%¦0¦1¦50%¦100%¦255¦240¦0.5¦120¦240deg¦none¦white¦black¦transparent¦x',
);
const colorForms = pieces(
  'rgb(_ _ _)¦rgb(_, _, _)¦rgba(_,_,_,_)¦rgb(_ _ _ / _)¦hsl(_ _ _)¦hsl(_deg, _%, _%)¦hsla(_,_%,_%,_)¦hsl(_ _ _ / _%)¦rgb(_ _)¦rgb(_% _% _%)¦lab(_ _ _)¦#______¦#___¦#____¦#_____¦#________¦#_',
);
const numbers = pieces('0¦1¦2¦5¦7¦30¦50¦90¦100¦120¦240¦255¦300¦-60¦0.04¦0.5¦.06¦none¦x');

function color(random: Generator): string {
  if (random.below(4) === 0) return random.repeat(1, 5, () => random.pick(colors));
  const form = random.pick(colorForms);
  return form.replaceAll('_', () => (form.startsWith('#') ? random.pick(pieces('0¦8¦f¦e¦F¦g')) : random.pick(numbers)));
}

const texts = pieces(
  'a¦b¦1¦2¦ ¦ ¦\n¦\n\n¦*¦**¦_¦__¦`¦``¦~¦~~¦~~~¦$¦$$¦\\¦\\(¦\\)¦\\[¦\\]¦\\begin{array}¦\\end{array}¦<¦<b>¦<1¦&lt;¦&¦[¦]¦](¦]:¦#¦-¦+¦=¦>¦.¦)¦1.¦| ---¦:¦é¦，',
);
const labelWords = pieces(
  'Sample¦Example¦Sample Input¦Sample Output¦Input¦Output¦OUTPUT¦Explanation¦Note¦Constraints¦样例¦输入¦输出¦入力例¦例¦Input Format¦Output for the Sample Input¦Follow up sample¦x',
);
const labelStarts = pieces('¦¦¦ ¦**¦__¦### ¦* ¦1. ¦2¦x');
const labelEnds = pieces('¦¦ ¦ 1¦1¦ #2¦ (3)¦12¦.¦:¦ :¦：¦**¦__¦ ###¦x');

function label(random: Generator): string {
  const end = random.repeat(0, 2, () => random.pick(labelEnds));
  const value =
    random.below(2) === 0
      ? ''
      : `${random.pick([':', '： ', ':** ', ':\n'])}${random.pick(['3', '*', 'Output: 3', 'Input：', ''])}`;
  return random.pick(labelStarts) + random.pick(labelWords) + end + value;
}

const selectorParts = pieces(
  'i¦b¦*¦.c¦.e¦#d¦[title]¦[title=x]¦[title^=""]¦[title$=y]¦[title*=y]¦[title~="x"]¦[title|=x]¦[title=X i]¦[ti\\74le]¦:root¦:nth-child(2)¦:nth-child(2n)¦:nth-child(-n+2)¦:nth-of-type(odd)¦:first-child¦:first-of-type¦:last-child¦:hover¦:has(b)¦:',
  ':not(.c)¦:not(:hover)¦:not(:last-child)¦:is(i, .e)¦:is(*)¦:is()¦:where(.c)¦:is(:hover,b)¦:not(¦)¦[¦]¦(¦"¦,¦, ¦ ¦ ¦ > ¦>¦+¦ ~ ¦\\69 ¦::before¦,i',
);
const element = (name: string, classes: string, title: string, index: number, previous?: SelectableElement) => ({
  name,
  attributes: { class: classes, id: classes === 'c e' ? 'd' : undefined, title },
  classes: new Set(classes.split(' ')),
  previous,
  index,
});
const [outer, first] = [element('b', 'c', 'x-y', 1), element('i', 'c', 'x', 1)];
const second = element('b', 'c e', 'x y', 2, first);
const paths = [[outer], [outer, first], [outer, second], [outer, second, element('i', '', 'y', 1)]].concat([
  [outer, element('i', 'e', 'X', 3, second)],
]);

function listMatches(text: string): unknown[] {
  return parseSelectors(text).map(selector => {
    const { specificity, key, isUncertain } = selector;
    let steps = 0;
    const matches = paths.map(path => (matchesSelector(selector, path, () => steps++) ? 'x' : '-')).join('');
    return [specificity, key, isUncertain, matches, steps];
  });
}

const mixedParts = pieces(
  'a¦b¦A ¦1 ¦ ¦ ¦\n¦\n¦\n\n¦    ¦\t¦`¦``¦```¦~~~¦\n```\n¦\n~~~\n¦> ¦- ¦1. ¦# ¦| ¦\n---|---\n¦**¦**b**¦$¦$$¦$x<y$¦$x&lt;y$¦\\(¦\\)¦\\[¦\\]¦\\¦](¦](x',
  '<b>¦</b>¦<B>¦<p>¦</p>¦<p>¦</p>¦<br>¦</br>¦<div>¦</div>¦<center>¦<li>¦</li>¦<ul>¦</ul>¦<table>¦<pre>¦</pre>¦<script>¦</script>¦<n>¦<a b>¦<a b="c">¦<a b=">">¦<img>¦<b hidden>¦<!--¦-->¦<!-->¦<plaintext>¦<¦>¦&amp;¦&lt;¦&#60;¦&x¦\\texttt{<p>}¦<span class="lang"><span class="lang-ja">',
);
const starts = pieces('¦¦<p>¦<div>¦\n <table>¦<ul><li>¦<p>a</p>\n');

function listTags(text: string): unknown[] {
  const tagsOf = (scan: TagScanner): string =>
    scan.tags
      .map(tag => {
        const partner = tag.partner === undefined ? '' : `~${tag.partner.start}`;
        return `${tag.kind} ${tag.start}-${tag.end}${partner}${tag.hasAttributes ? ' attributes' : ''}${tag.isInFormula ? ' formula' : ''}`;
      })
      .join(', ');
  const scans = [false, true].map(hasCode => new TagScanner(text, new ConversionBudget(), hasCode));
  return [
    isObviousHtmlPage(text),
    ...scans.map(scan => [isHtmlPage(text, scan), scan.hasBareFormula, tagsOf(scan)].join(' ')),
  ];
}

const openSteps = pieces('<p>¦    <p>¦\n<p>¦\n  <b>¦\n    <i>¦\n\t<p>¦\n \t<b>¦</p>¦</b>¦</i>¦\n</p>¦\n     <b>¦a<i>');

function listOpenTags(text: string): string {
  const tracker = new OpenTagTracker(text);
  return Array.from(text.matchAll(/<(\/?)(\w)>/g), ({ 1: slash, 2: name = '', index }) => {
    tracker.read(name, index, slash === '');
    return `${tracker.isInside ? 'inside' : '-'}${tracker.isIndented ? ' indented' : ''}`;
  }).join(', ');
}

const tagParts = pieces(
  ' ¦ ¦\n¦\t¦\f¦\r¦a¦b¦a="1"¦ a="1"¦ b="2"¦ a="&amp;"¦ a="&"¦=¦"¦x=¦ x=\'y\'¦ x=y¦ x¦A="1"¦/¦>¦<¦a1="1"¦a-b="1"¦1="1"¦a_="1"',
);

const tex = pieces(' ¦  ¦\\ ¦\\¦\\\\¦a¦\\a¦$');
const literalSteps = pieces(
  'a¦b¦¦ ¦\n¦\n\n¦  ¦1¦-¦\u00a0¦\r\n¦\t¦^¦_¦^¦_¦close¦close¦break¦block¦enter¦end line¦enclose¦leave¦leave',
);

function literalText(steps: readonly string[], kind: LiteralText['kind']): string {
  const literal = new LiteralText(kind);
  const open: (() => void)[] = [];
  for (const step of steps) {
    if (step === '^' || step === '_') literal.openScript(step);
    else if (step === 'close') literal.closeScript();
    else if (step === 'break') literal.breakLine();
    else if (step === 'block') literal.noteBlock();
    else if (step === 'enter') literal.enter();
    else if (step === 'end line') literal.endLine();
    else if (step === 'enclose') open.push(literal.enclose('~~', '~~'));
    else if (step === 'leave') open.pop()?.();
    else literal.append(step);
  }
  return literal.text();
}

test.each<[inputs: string, list: () => string]>([
  ['lines', () => listGenerated(lines, listLines, { blocks: 30 })],
  [
    'links',
    () =>
      listGenerated(
        textOf(linkParts, 9),
        text => [base, undefined].map(link => sanitizeMarkdownAddresses(text, link, new ConversionBudget())),
        { blocks: 60 },
      ),
  ],
  [
    'link-destinations',
    () =>
      listGenerated(
        textOf(destinations, 7),
        text => [parseLinkDestination(text, 0, 'parenthesis'), parseLinkDestination(text, 0, 'line')],
        { blocks: 20 },
      ),
  ],
  [
    'addresses',
    () =>
      listGenerated(
        textOf(addresses, 6),
        text => [
          isAllowedAddress(text),
          toAbsoluteAddress(text, base),
          toAbsoluteAddress(text, undefined),
          sanitizeAddressField(text),
          escapeMarkdownLinks(text),
        ],
        { blocks: 20 },
      ),
  ],
  ['colors', () => listGenerated(color, parseColor, { blocks: 20 })],
  [
    'escapes',
    () =>
      listGenerated(
        random => [1, 2].map(() => textOf(texts, 7)(random)),
        parts => {
          const pairs = new MarkdownMarkPairs(false);
          for (const part of parts) pairs.read(part);
          return parts.map((part, index) => escapeMarkdown(part, index === 0, pairs));
        },
        { blocks: 40 },
      ),
  ],
  ['labels', () => listGenerated(label, text => [findSampleLabel(text), findLabeledValue(text)])],
  ['selectors', () => listGenerated(textOf(selectorParts, 5), listMatches, { blocks: 60 })],
  [
    'tags',
    () => listGenerated(random => random.pick(starts) + textOf(mixedParts, 9)(random), listTags, { blocks: 60 }),
  ],
  ['open-tags', () => listGenerated(textOf(openSteps, 7), listOpenTags, { shown: 30 })],
  [
    'attributes',
    () => listGenerated(random => `<p${textOf(tagParts, 6)(random)}>`, readTagAttributes, { shown: 40, blocks: 20 }),
  ],
  ['tex', () => listGenerated(textOf(tex, 6), trimTexWhiteSpace, { shown: 20 })],
  [
    'literals',
    () =>
      listGenerated(
        random => Array.from({ length: 1 + random.below(9) }, () => random.pick(literalSteps)),
        steps => (['sample', 'code', 'tex', 'script'] as const).map(kind => literalText(steps, kind)),
        { blocks: 30 },
      ),
  ],
])('the approved file lists the results for generated %s of statements', async (name, list) => {
  await expect(list()).toMatchFileSnapshot(`approved/generated-${name}.txt`);
});
