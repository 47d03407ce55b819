import { textString } from './character-map.ts';
import type { ContentReader } from './content.ts';
import type { Dict, PdfValue } from './syntax.ts';

const hiddenFlag = 2;
const maxAnnotations = 5000;

/** What stands on a page without being part of it: fields of forms as they are filled in, labels, and remarks. */
export function readAnnotations(reader: ContentReader, page: Dict): void {
  const { file } = reader;
  for (const item of file.array(page.get('Annots')).slice(0, maxAnnotations)) {
    const annotation = file.dict(item);
    if (annotation === undefined) continue;
    const kind = file.name(annotation.get('Subtype'));
    if (kind === 'Popup' || ((file.number(annotation.get('F')) ?? 0) & hiddenFlag) !== 0) continue;
    const isField = kind === 'Widget';
    if (!drawAppearance(reader, annotation) && isField) note(reader, fieldValue(reader, annotation));
    if (!isField && kind !== 'Link') note(reader, annotation.get('Contents'));
  }
}

function drawAppearance(reader: ContentReader, annotation: Dict): boolean {
  const { file } = reader;
  const normal = file.dict(file.dict(annotation.get('AP'))?.get('N'));
  const state = file.name(annotation.get('AS'));
  const form = state === undefined ? normal : (file.dict(normal?.get(state)) ?? normal);
  if (form === undefined || file.content(form) === undefined) return false;
  const [left = 0, bottom = 0] = file.array(annotation.get('Rect')).map(side => file.number(side) ?? 0);
  reader.form(form, undefined, [1, 0, 0, 1, left, bottom], 0);
  return true;
}

/** A field has what the ones above it say. */
function fieldValue(reader: ContentReader, field: Dict): PdfValue | undefined {
  const { file } = reader;
  let current: Dict | undefined = field;
  for (let depth = 0; current !== undefined && depth < 10; depth++) {
    const value = current.get('V');
    if (value !== undefined) return value;
    current = file.dict(current.get('Parent'));
  }
  return undefined;
}

function note(reader: ContentReader, value: PdfValue | undefined): void {
  const text = reader.file.resolve(value);
  if (Buffer.isBuffer(text)) reader.page.note(textString(text));
}
