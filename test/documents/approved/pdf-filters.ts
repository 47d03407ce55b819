import { assemble, stream } from '../pdf.ts';
import { latin1, range, shownText } from './pdf-parts.ts';
import { type Sample, sample } from './sample.ts';

/** Packs numbers of a fixed width into bytes, the highest bit first. */
function pack(values: readonly (readonly [code: number, width: number])[]): Buffer {
  const bits = values.map(([code, width]) => code.toString(2).padStart(width, '0')).join('');
  return Buffer.from((bits.match(/.{1,8}/g) ?? []).map(byte => Number.parseInt(byte.padEnd(8, '0'), 2)));
}

/** Compresses with LZW. `early` is 1 if the width of a code grows one code early, which is the default of PDF. */
function lzw(text: string, early: number): Buffer {
  const out: [number, number][] = [[256, 9]];
  let table = new Map<string, number>();
  let prefix = '';
  const codeOf = (part: string): number => table.get(part) ?? part.charCodeAt(0);
  const width = (): number => {
    const next = 257 + table.size + early;
    return next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9;
  };
  for (const letter of text) {
    if (prefix === '' || table.has(prefix + letter)) prefix += letter;
    else {
      out.push([codeOf(prefix), width()]);
      table.set(prefix + letter, 258 + table.size);
      prefix = letter;
      if (table.size === 3836) {
        out.push([codeOf(prefix), width()], [256, 12]);
        [table, prefix] = [new Map(), ''];
      }
    }
  }
  if (prefix !== '') out.push([codeOf(prefix), width()]);
  return pack([...out, [257, width()]]);
}

const longText = shownText(
  range(1, 4200)
    .map(number => ((number * 7919) % 6007).toString(36))
    .join(''),
);

/** Stores rows of bytes as differences, with each PNG filter type in turn (PNG, 9.2). */
function predicted(text: string, rowBytes: number, step: number): string {
  const raw = latin1(text.padEnd(rowBytes * 6));
  const rows: Buffer[] = [];
  for (let row = 0; (row + 1) * rowBytes <= raw.length; row++) {
    const at = (y: number, x: number): number => (y < 0 || x < 0 ? 0 : (raw[y * rowBytes + x] ?? 0));
    const values = Array.from({ length: rowBytes }, (_, x) => {
      const [left, up, corner] = [at(row, x - step), at(row - 1, x), at(row - 1, x - step)];
      const target = left + up - corner;
      const nearest = [left, up, corner].reduce((best, each) =>
        Math.abs(target - each) < Math.abs(target - best) ? each : best,
      );
      return at(row, x) - ([0, left, up, (left + up) >> 1, nearest][row % 5] ?? 0);
    });
    rows.push(Buffer.from([row % 5, ...values]));
  }
  return Buffer.concat(rows).toString('latin1');
}

const predictors: readonly (readonly [parameters: string, rowBytes: number, step: number])[] = [
  ['/Predictor 12 /Columns 4', 4, 1],
  ['/Predictor 15 /Columns 6 /Colors 3', 18, 3],
  ['/Predictor 10 /Columns 2 /BitsPerComponent 16', 4, 2],
  ['/Predictor 11 /Columns 17 /BitsPerComponent 1', 3, 1],
  ['/Predictor 12 /Columns 0', 1, 1],
];
const withStream = (name: string, object: Buffer): Sample =>
  sample(
    name,
    'pdf',
    assemble([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [4 0 R] /Resources << /Font << /F1 3 0 R >> >> >>',
      '<< /Subtype /Type1 >>',
      '<< /Type /Page /Parent 2 0 R /Contents 5 0 R >>',
      object,
    ]),
  );

export const filters: readonly Sample[] = [
  withStream('LZW', stream('/Filter /LZWDecode', lzw(longText, 1))),
  withStream(
    'LZW with late changes of the width',
    stream('/Filter [/LZW] /DecodeParms [<< /EarlyChange 0 >>]', lzw(longText, 0)),
  ),
  withStream('ASCII 85', stream('/Filter /A85', latin1("<~6<#'\\7PQ#@1a#b0+>GQ(+?(u.+B2ko-qIocCi:FtDfTZ).9(%)78s~>"))),
  withStream('ASCII 85 with zeros', stream('/Filter [/ASCII85Decode]', latin1("6<\n#' \\7PQ#@1a#b0+>GQ(+>>B3 z 78s"))),
  ...['', '/', '/0', '/0E', '/0Es'].map(end =>
    withStream(
      `ASCII 85 that ends with "${end}"`,
      stream('/Filter /A85', latin1(`6<#'\\7PQ#@1a#b0+>GQ(+?(u.+B2ko-qIocCi:FtDfTZ).9(%)78s${end}`)),
    ),
  ),
  withStream(
    'hexadecimal',
    stream(
      '/Filter /AHx',
      latin1(
        `${latin1(shownText('hex'))
          .toString('hex')
          .replaceAll(/(.{5})/g, '$1 \n')
          .toUpperCase()}>20`,
      ),
    ),
  ),
  withStream(
    'run lengths',
    stream(
      '/Filter /RL',
      Buffer.concat([
        Buffer.of(shownText('runs').length - 8),
        latin1(shownText('runs').slice(0, -7)),
        Buffer.of(254),
        latin1('z'),
        Buffer.of(6),
        latin1(') Tj ET'),
        Buffer.of(128),
        latin1('no'),
      ]),
    ),
  ),
  withStream('an image filter', stream('/Filter /DCTDecode', latin1(shownText('no')))),
  withStream('a filter that is not a name', stream('/Filter [5]', latin1(shownText('no')))),
  withStream('the filter null', stream('/Filter null', latin1(shownText('null')))),
  withStream('damaged compression', stream('/Filter /Fl', Buffer.from('00', 'hex'))),
  ...predictors.map(([parameters, rowBytes, step]) =>
    withStream(
      `the predictor ${parameters}`,
      stream(
        `/Filter /LZW /DecodeParms << ${parameters} >>`,
        lzw(predicted(shownText('predicted rows of bytes'), rowBytes, step), 1),
      ),
    ),
  ),
  ...['/Predictor 2', '/Predictor 9'].map(parameters =>
    withStream(
      `the predictor ${parameters}`,
      stream(`/Filter /LZW /DecodeParms << ${parameters} /Columns 4 >>`, lzw(shownText('without rows'), 1)),
    ),
  ),
];
