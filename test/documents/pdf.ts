import { deflateSync } from 'node:zlib';

export interface PdfParts {
  /** The content streams of the PDF, one for each page. */
  pages: readonly string[];
  /** The body of the font object F1. */
  font?: string;
  /** Further PDF objects, whose numbers start at 4. */
  extra?: readonly (string | Buffer)[];
  /** Additional entries of the font resources, such as `/F2 4 0 R`. */
  resources?: string;
  trailer?: string;
  isPacked?: boolean;
}

const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';

/** Builds a PDF from these parts. Object 1 is the catalog, object 2 the page tree and object 3 the font F1. */
export function pdf({
  pages,
  font = helvetica,
  extra = [],
  resources = '',
  trailer = '',
  isPacked = true,
}: PdfParts): Buffer {
  const first = 4 + extra.length;
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`);
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids.join(' ')}] /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R ${resources} >> /XObject << /X1 4 0 R >> >> >>`,
    font,
    ...extra,
  ];
  pages.forEach((content, index) => {
    objects.push(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${first + index * 2 + 1} 0 R >>`);
    objects.push(
      isPacked
        ? stream('/Filter /FlateDecode', deflateSync(Buffer.from(content, 'latin1')))
        : stream('', Buffer.from(content, 'latin1')),
    );
  });
  return assemble(objects, trailer);
}

export function stream(entries: string, bytes: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${entries} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

export function assemble(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const body = objects.flatMap((object, index) => [
    Buffer.from(`${index + 1} 0 obj\n`),
    Buffer.from(object),
    Buffer.from('\nendobj\n'),
  ]);
  return Buffer.concat([
    Buffer.from('%PDF-1.5\n'),
    ...body,
    Buffer.from(`trailer << /Root 1 0 R ${trailer} >>\n%%EOF\n`),
  ]);
}

export function line(text: string, y = 700): string {
  return `BT /F1 12 Tf 1 0 0 1 72 ${y} Tm (${text}) Tj ET`;
}
