/**
 * Approximate numbers of pixels of each unit. A percentage relates to different sizes. The numbers are not imported from
 * `hiding.ts`: declarations that are computed from its table would move together with a wrong number in it.
 */
const units: readonly (readonly [unit: string, pixels: number])[] = [
  ['px', 1],
  ['pt', 1.33],
  ['em', 16],
  ['rem', 16],
  ['ch', 8],
  ['ex', 8],
  ['vw', 10],
  ['vh', 10],
  ['cm', 38],
  ['%', 10],
  ['%', 5],
  ['', 1],
];
const farPixels = [-1000, -901, -900, -899, 899, 900, 901, 4500, 4999, 5000, 5001];
const smallNumbers = [
  0, 0.1, 0.14, 0.16, 0.29, 0.3, 0.31, 0.9, 1, 1.1, 1.9, 2, 2.3, 2.4, 3.1, 3.3, 12, 16, 17, 29, 30, 87, 110,
];

const farProperties = [
  'left',
  'right',
  'top',
  'bottom',
  'margin-left',
  'margin-top',
  'margin-right',
  'text-indent',
  'translate',
];
const smallProperties = [
  'font-size',
  'zoom',
  'vertical-align',
  'position: relative; top',
  'position: relative; bottom',
];
const sizeProperties = ['width', 'height', 'max-width', 'max-height', 'line-height'];

const colors = [
  'red',
  '#fff',
  '#fff0',
  'white',
  'transparent',
  '#fefefe',
  'rgba(0, 0, 0, 0)',
  'rgb(250 250 250)',
  'inherit',
  'url(x)',
];

/** Lists declarations with their neighbours on both sides of each limit. Each group becomes one paragraph. */
export function declarationGroups(): string[][] {
  return [
    ...farProperties.flatMap(property =>
      units.map(([unit, pixels]) => farPixels.map(far => `${property}: ${round(far / pixels)}${unit}`)),
    ),
    ...smallProperties.flatMap(property =>
      units.map(([unit]) =>
        smallNumbers.flatMap(number => [`${property}: ${number}${unit}`, `${property}: -${number}${unit}`]),
      ),
    ),
    ...sizeProperties.map(property =>
      ['0', '0px', '0.5px', '0.5em', '05px', '1px', '10px', '2px', 'auto'].flatMap(size => [
        `${property}: ${size}`,
        ...['overflow', 'overflow-x', 'overflow-y'].map(name => `${name}: hidden; ${property}: ${size}`),
      ]),
    ),
    ...colors.map(color =>
      colors.flatMap(behind => [
        `color: ${color}; background: ${behind}`,
        `color: ${color}; background-color: ${behind}`,
        `color: red; -webkit-text-fill-color: ${color}; background-color: ${behind}`,
        `color: ${color}; background-color: ${behind}; background-image: url(x)`,
      ]),
    ),
    [
      'small',
      'smaller',
      'x-small',
      '90%',
      '89%',
      '9px',
      '11px',
      '11.5px',
      '12px',
      '.9em',
      '0.5rem',
      '9.5pt',
      '10pt',
    ].flatMap(size =>
      ['top', 'text-top', 'bottom', 'text-bottom', 'middle', 'baseline', 'super', 'sub'].map(
        align => `vertical-align: ${align}; font-size: ${size}`,
      ),
    ),
    ['-4px', '3px', '2px', '0', '-0.18em', '1.1em'].flatMap(top =>
      ['', 'bottom: 4px;', 'font-size: 80%;', 'display: inline-block;', 'bottom: -4px; vertical-align: 4px;'].map(
        more => `position: relative; ${more} top: ${top}`,
      ),
    ),
    ['0', '0.0', '0.09', '0.1', '0.11', '9%', '10%', '11%', '0%', '-1', 'x', '.0'].flatMap(opacity => [
      `opacity: ${opacity}`,
      `opacity: ${opacity}; animation: a 1s`,
      `opacity: ${opacity}; animation-name: a`,
      `filter: blur(0) opacity(${opacity})`,
    ]),
    [
      'display: none',
      'display: inline',
      'display: block',
      'display: contents',
      'content-visibility: hidden',
      'visibility: hidden',
      'visibility: collapse',
      '-webkit-text-security: disc',
      'transform: scale(0)',
      'transform: scale(0.5)',
      'transform: rotate(3deg) scaleX(0)',
      'transform: translate(-900px, 0)',
      'transform: translateX(-899px)',
      'transform: rotateY(90deg)',
      'transform: matrix(0, 0, 0, 0, 1, 1)',
      'rotate: x 90deg',
      'rotate: z 90deg',
      'scale: 0',
      'scale: 0.5',
      'font: 0/1 a',
      'font: bold 1px a',
      'font: italic bold 12px a',
      'clip-path: inset(50%)',
      'clip-path: inset(49%)',
      'clip-path: circle(0)',
      'clip-path: polygon(0 0, 0 0)',
      'clip: rect(0 0 0 0)',
      'clip: rect(1px, 1px, 1px, 1px)',
      'clip: rect(9px, 1px, 1px, 1px)',
      'text-indent: 100%; overflow: hidden',
      'text-indent: 100%',
      'margin-left: -950px; padding-left: 60px',
      'margin-left: -950px; padding-left: 40px',
      'margin-left: -950px; padding-left: -40px',
      'text-decoration: line-through',
      'text-decoration-line: underline overline',
      'text-decoration: overline',
      'border-top: 1px solid',
      'border-top: 1px dotted',
      'border-top: 1px solid; display: block',
      'font-variant-position: super',
      'font-variant-position: sub',
      'font-weight: bold',
      'font-weight: 600',
      'font-weight: 599',
      'font-style: italic',
      'font-style: oblique',
      'text-transform: uppercase',
      'white-space: pre',
    ],
  ];
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}

const compounds = [
  '*',
  'i',
  'I',
  '.c',
  '#d',
  'i.c',
  '.c.e',
  '#d.c',
  '[title]',
  '[TITLE]',
  '[title=ab-c]',
  '[title="ab-c"]',
  "[title='AB-C']",
  "[title='AB-C' i]",
  '[title=AB-C s]',
  '[title~=x]',
  '[lang~=en]',
  '[title|=ab]',
  '[title|=a]',
  '[title|="ab-c"]',
  '[title^=ab]',
  '[title^=b]',
  '[title^=""]',
  '[title$="-c"]',
  '[title$=b]',
  '[title$=""]',
  '[title*=b-]',
  '[title*=d]',
  '[title*=""]',
  '[title!=x]',
  '[missing]',
  '[ title = "ab-c" ]',
  ':root',
  ':first-child',
  ':first-of-type',
  ':nth-child(2)',
  ':nth-child( 2n + 1 )',
  ':nth-child(-n+2)',
  ':nth-child(n+3)',
  ':nth-child(+n)',
  ':nth-child(odd)',
  ':nth-child(EVEN)',
  ':nth-child(3n-1)',
  ':nth-child(-2n+3)',
  ':nth-child(0n+2)',
  ':nth-child()',
  ':nth-child(x)',
  ':nth-of-type(2)',
  ':nth-of-type(2n)',
  'i:nth-of-type(1)',
  ':first',
  ':last-child',
  ':only-of-type',
  ':nth-last-child(1)',
  ':has(i)',
  ':hover',
  '::before',
  ':',
  ':not(.c)',
  ':not(.c, #f)',
  ':not(:hover)',
  ':not(:last-child)',
  ':is(.c, #f)',
  ':is(:hover, .c)',
  ':where(.c)',
  ':is(:last-child)',
  ':matches(i)',
  ':is(:is(:is(:is(.c))))',
  ':is(:is(:is(:is(:is(.c)))))',
  ':is(.c',
  'section i',
  'section > i',
  'section>i',
  'b + i',
  'b ~ i',
  'section b i',
  'section > b > i',
  'section + i',
  '> i',
  'i >',
  'b +~ i',
  String.raw`\69`,
  String.raw`.\63 `,
  String.raw`.\63\65`,
  String.raw`#\110000 d`,
  String.raw`.\c`,
  '.c, #f',
  '.c,',
  '[title="a,b"], #f',
  ':is([title="]"], #f)',
  `i${'.c'.repeat(499)}`,
  `i${'.c'.repeat(500)}`,
];

/** Lists selectors, each alone and against a rule of another specificity that shows the same elements. */
export function selectorSheets(): string[] {
  return compounds.flatMap(selector => [
    `${selector} { display: none }`,
    `${selector} { display: none } i { display: inline }`,
    `.c { display: inline } ${selector} { display: none } #d { display: inline }`,
  ]);
}

/** A page in which each element has another name, class, position or attribute. The texts tell which are shown. */
export const selectorPage =
  '<section><i>1</i><i class="c">2</i><b>3<i class="c e" id="d">4</i></b><i title="ab-c">5</i><i lang="de en">6</i></section><i id="f">7</i><b>8</b><i title="a,b">9</i>';
