import { extractCompoundText } from '../compound/document.ts';
import { CompoundFile, isCompoundFile } from '../compound/file.ts';
import { extractSummaryMetadata } from '../compound/summary.ts';
import { extractHtmlText } from '../html/text.ts';
import { extractXmlText, findAttributeValues, findElementText, removeElements, splitAtElements } from '../markup.ts';
import { endOfPagesCharacter } from '../pages.ts';
import { undefinedIfUnreadable } from '../unreadable.ts';
import { type CellDateFinder } from './cell-dates.ts';
import type { OfficeMetadata } from './facts.ts';
import { listSheetNames, readCellDateFormats, replaceFormulasByCellValues } from './spreadsheet.ts';
import { decodeXml, ZipFile, type ZipMember } from './zip.ts';

/** Matches the names of the archive members that contain text, by format. */
const textMembers: Readonly<Record<string, RegExp>> = {
  // All XML files are read, because the body can have any name. Their styles and settings have no text outside of tags.
  docx: /^word\/(?:[^/]+|(?:diagrams\/data|charts\/chart)\d*)\.xml$/i,
  xlsx: /^xl\/(?:workbook|sharedStrings\d*|comments\d*|(?:worksheets|comments|threadedComments|drawings)\/[^/]+|(?:diagrams\/data|charts\/chart)\d*)\.xml$/i,
  pptx: /^ppt\/(?:(?:slides|notesSlides|comments)\/[^/]+|(?:diagrams\/data|charts\/chart)\d*)\.xml$/i,
  odt: /^(?:(?:Object \d+\/)?content|styles)\.xml$/,
  epub: /^(?!META-INF\/).*\.(?:x?html?|xml|opf)$/i,
};
const families: Readonly<Record<string, readonly string[]>> = {
  docx: ['docx', 'docm', 'dotx', 'dotm'],
  xlsx: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  pptx: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
  odt: ['odt', 'ott', 'odm', 'ods', 'ots', 'odp', 'otp', 'odg', 'otg', 'odf', 'sxw', 'sxc', 'sxi', 'stw', 'stc', 'sti'],
  flat: ['fodt', 'fods', 'fodp', 'fodg'],
  epub: ['epub'],
};

const maxPrologLength = 5000;

function familyOf(extension: string): string | undefined {
  return Object.entries(families).find(([, extensions]) => extensions.includes(extension))?.[0];
}

function isZipFile(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'PK\x03\x04';
}

/** Maps the extensions of old formats to new ones, because programs also store the new formats with old extensions. */
const renamedFamilies: Readonly<Record<string, string>> = {
  doc: 'docx',
  dot: 'docx',
  xls: 'xlsx',
  xlt: 'xlsx',
  ppt: 'pptx',
  pps: 'pptx',
  pot: 'pptx',
};

/** Extracts the text of an office document. Returns undefined if it cannot be parsed within the limits. */
export function extractOfficeText(bytes: Buffer, extension: string): string | undefined {
  const known = isCompoundFile(bytes) ? 'compound' : familyOf(extension);
  const family = known ?? (isZipFile(bytes) ? renamedFamilies[extension] : 'compound');
  if (family === undefined) return undefined;
  if (family === 'compound') {
    const extractZip = (zip: Buffer): string | undefined =>
      isZipFile(zip) ? extractOfficeText(zip, extension) : undefined;
    return undefinedIfUnreadable(() => extractCompoundText(bytes, extractZip));
  }
  if (family === 'flat') return flatText(bytes);
  const wanted = textMembers[family];
  if (wanted === undefined) return undefined;
  return undefinedIfUnreadable(() => {
    const zip = new ZipFile(bytes);
    const members = zip.members
      .filter(({ name }) => wanted.test(name))
      .sort((left, right) => byNumber(left.name, right.name));
    if (members.length === 0) return undefined;
    const dates = family === 'xlsx' ? readCellDateFormats(zip) : undefined;
    const text = (member: ZipMember): string => memberText(zip.text(member), family, member.name, dates);
    if (family !== 'pptx') return members.map(text).join('\n');
    const slides = members.filter(({ name }) => name.startsWith('ppt/slides/'));
    const others = members.filter(({ name }) => !name.startsWith('ppt/slides/'));
    const pages = slides.map(text).join('\f');
    return others.length === 0 ? pages : `${pages}${endOfPagesCharacter}${others.map(text).join('\n')}`;
  });
}

/** Extracts the text of a flat OpenDocument file, which is one XML file. */
function flatText(bytes: Buffer): string | undefined {
  const markup = decodeXml(bytes);
  if (!/<office:document[\s>]/.test(markup.slice(0, maxPrologLength))) return undefined;
  // Page headers and footers are stored in the master styles, before the body.
  const start = /<office:(?:master-styles|body)[\s>]/.exec(markup)?.index ?? 0;
  return openDocumentText(removeElements(markup.slice(start), ['office:binary-data']));
}

/**
 * Extracts the text of OpenDocument, with the names of sheets and without deleted text. Notes and comments follow at
 * the end, because they would split a sentence.
 */
function openDocumentText(markup: string): string {
  const { rest, inside: notes } = splitAtElements(removeElements(markup, ['text:tracked-changes']), openDocumentNotes);
  const text = extractXmlText(`${rest}\n${notes}`);
  return `${findAttributeValues(markup, /<table:table\s[^<>]*?\btable:name=(?:"([^"<]*)"|'([^'<]*)')/g)}\n${text}`;
}

/** Extracts the text of Word XML. Deleted text and field codes are left out. */
function wordText(markup: string): string {
  const shown = removeElements(markup, ['w:delText', 'w:instrText']).replace(/<w:noBreakHyphen\b[^<>]*>/g, '-');
  return textWithReadingsLast(shown, ['w:rt']);
}

/** Moves the ruby readings of a document to its end, because they would split words. */
function textWithReadingsLast(markup: string, readings: readonly string[]): string {
  const { rest, inside: above } = splitAtElements(markup, readings);
  return extractXmlText(`${rest}\n${above}`);
}

function memberText(markup: string, family: string, name: string, dates: CellDateFinder | undefined): string {
  switch (family) {
    case 'epub':
      return name.endsWith('.opf') ? bookTitle(markup) : extractHtmlText(markup);
    case 'docx':
      return wordText(markup);
    case 'xlsx':
      if (name.endsWith('workbook.xml')) return listSheetNames(markup);
      return textWithReadingsLast(name.includes('worksheets/') ? replaceFormulasByCellValues(markup, dates) : markup, [
        'rPh',
        'x:rPh',
      ]);
    case 'odt':
      return openDocumentText(markup);
    default:
      return extractXmlText(markup);
  }
}

/** Returns title, author and description of an e-book. */
function bookTitle(markup: string): string {
  return ['title', 'creator', 'description'].map(name => findElementText(markup, name) ?? '').join('\n');
}

/**
 * The text of these elements is moved to the end of the document, because footnotes, comments and ruby readings would
 * split sentences or words.
 */
const openDocumentNotes = ['text:note', 'office:annotation', 'text:ruby-text'];

/** Compares names by the numbers in them, so that slide9 comes before slide10. */
function byNumber(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true });
}

export function extractOfficeMetadata(bytes: Buffer, extension: string): OfficeMetadata | undefined {
  return undefinedIfUnreadable(() => {
    if (isCompoundFile(bytes)) return extractSummaryMetadata(new CompoundFile(bytes));
    const zip = new ZipFile(bytes);
    const member =
      zip.member('docProps/core.xml') ??
      zip.member('meta.xml') ??
      (extension === 'epub' ? zip.members.find(({ name }) => name.endsWith('.opf')) : undefined);
    if (member === undefined) return undefined;
    const markup = zip.text(member);
    return {
      title: findElementText(markup, 'title'),
      author: findElementText(markup, 'creator') ?? findElementText(markup, 'initial-creator'),
      keywords: findElementText(markup, 'keywords') ?? findElementText(markup, 'keyword'),
    };
  });
}
