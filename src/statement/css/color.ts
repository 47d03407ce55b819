export interface Color {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

const names: ReadonlyMap<string, string> = new Map([
  ['transparent', '0000'],
  ['white', 'fff'],
  ['snow', 'fffafa'],
  ['ivory', 'fffff0'],
  ['floralwhite', 'fffaf0'],
  ['ghostwhite', 'f8f8ff'],
  ['mintcream', 'f5fffa'],
  ['azure', 'f0ffff'],
  ['whitesmoke', 'f5f5f5'],
  ['black', '000'],
  ['red', 'f00'],
]);
const otherNames =
  'aliceblue antiquewhite aqua aquamarine beige bisque blanchedalmond blue blueviolet brown burlywood ' +
  'cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan ' +
  'darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid ' +
  'darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet ' +
  'deeppink deepskyblue dimgray dimgrey dodgerblue firebrick forestgreen fuchsia gainsboro gold goldenrod ' +
  'gray green greenyellow grey honeydew hotpink indianred indigo khaki lavender lavenderblush lawngreen ' +
  'lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey ' +
  'lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue ' +
  'lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple ' +
  'mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mistyrose ' +
  'moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen ' +
  'paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple ' +
  'rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue ' +
  'slategray slategrey springgreen steelblue tan teal thistle tomato turquoise violet wheat yellow ' +
  'yellowgreen';
const systemColor = '(?:-webkit-)?[a-z]*(?:text|canvas|face|border|field|highlight|item|mark|color|window|link)';
/** Matches every color of CSS. A browser ignores a declaration with any other word. */
export const colorPattern = `#(?:[\\da-f]{3,4}|[\\da-f]{6}|[\\da-f]{8})|(?:rgba?|hsla?|hwb|(?:ok)?l(?:ab|ch)|color|color-mix|contrast-color|light-dark)\\(.*|${systemColor}|${[...names.keys(), ...otherNames.split(' ')].join('|')}`;
const hexadecimal = /^#([\da-f]+)$/;
const colorFunction = /^(rgb|hsl)a?\(([^()]{1,100})\)$/;
// A color whose channels exceed this value cannot be distinguished from a white page.
const minWhite = 240;
const minAlpha = 0.05;

/** Parses a color in lower case. Returns undefined for unknown syntax, which counts as visible. */
export function parseColor(text: string): Color | undefined {
  const digits = names.get(text) ?? hexadecimal.exec(text)?.[1];
  if (digits !== undefined) return hexColor(digits);
  const [, kind, body = ''] = colorFunction.exec(text) ?? [];
  const parts = body.split(/[\s,/]+/).filter(part => part !== '');
  if (parts.length < 3) return undefined;
  const alpha = fraction(parts[3] ?? '1', 1);
  return kind === 'rgb' ? rgbColor(parts, alpha) : hslColor(parts, alpha);
}

export function isTransparentColor({ alpha }: Color): boolean {
  return alpha <= minAlpha;
}

export function isWhiteColor({ red, green, blue }: Color): boolean {
  return Math.min(red, green, blue) >= minWhite;
}

export function isSameColor(one: Color, other: Color): boolean {
  return one.red === other.red && one.green === other.green && one.blue === other.blue;
}

function hexColor(digits: string): Color | undefined {
  if (![3, 4, 6, 8].includes(digits.length)) return undefined;
  const width = digits.length < 6 ? 1 : 2;
  const part = (index: number): number => {
    const found = digits.slice(index * width, (index + 1) * width);
    return Number.parseInt(width === 1 ? found + found : found, 16);
  };
  return { red: part(0), green: part(1), blue: part(2), alpha: digits.length % 4 === 0 ? part(3) / 255 : 1 };
}

function rgbColor([red = '', green = '', blue = '']: readonly string[], alpha: number): Color {
  return { red: fraction(red, 255), green: fraction(green, 255), blue: fraction(blue, 255), alpha };
}

function hslColor([hue = '', saturation = '', lightness = '']: readonly string[], alpha: number): Color {
  const light = fraction(lightness, 100) / 100;
  const spread = (fraction(saturation, 100) / 100) * Math.min(light, 1 - light);
  const turn = (Number.parseFloat(hue) || 0) / 30;
  // https://www.w3.org/TR/css-color-4/#hsl-to-rgb
  const channel = (offset: number): number => {
    const at = (((offset + turn) % 12) + 12) % 12;
    return Math.round(255 * (light - spread * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return { red: channel(0), green: channel(8), blue: channel(4), alpha };
}

/** Parses a number or a percentage. A percentage is multiplied by `whole`. */
function fraction(text: string, whole: number): number {
  const number = Number.parseFloat(text);
  if (Number.isNaN(number)) return text === 'none' ? 0 : whole;
  return text.endsWith('%') ? (number / 100) * whole : number;
}
