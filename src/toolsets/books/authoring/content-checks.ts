import { decodePercentEncoding } from '../../../text/percent-encoding.ts';
import { isLessonPath } from '../model/path.ts';
import { type ValidationFinding, warning } from '../model/validation.ts';
import { findLinks, findMdBookIncludes } from './markdown-links.ts';
import { fileNameOf, parentFolderOf, resolveRelativePath } from './outline.ts';

/**
 * Finds parts, chapters or lessons of one folder whose names begin with the same number, so that only the rest of the
 * name decides the order.
 */
export function findDuplicateNumbers(paths: readonly string[]): ValidationFinding[] {
  const names = new Map<string, Set<string>>();
  for (const path of paths) {
    if (!isLessonPath(path) || path.endsWith('.summary.md')) continue;
    for (let unit = path; unit !== 'content'; unit = parentFolderOf(unit)) {
      const key = `${parentFolderOf(unit)}/${fileNameOf(unit).slice(0, 2)}`;
      names.set(key, (names.get(key) ?? new Set()).add(fileNameOf(unit)));
    }
  }
  return [...names].flatMap(([key, units]) => {
    if (units.size === 1) return [];
    const message = `${[...units].join(' and ')} have the same number.`;
    return [warning(key.slice(0, -3), 'Duplicate number', message, 'Give each its own number.')];
  });
}

/** Finds relative links and images of a page that lead to no file of the book. */
export function findBrokenLinks(
  path: string,
  markdown: string,
  known: Pick<ReadonlySet<string>, 'has'>,
): ValidationFinding[] {
  const findings: ValidationFinding[] = [];
  for (const { target, isImage, isModule } of findLinks(markdown)) {
    const [, address = ''] = /^([^?#]*)/.exec(target) ?? [];
    if (address === '' || (!isModule && /^(?:[a-z][a-z0-9+.-]*:|\/|@site\/)/i.test(address))) continue;
    const linked = resolveRelativePath(parentFolderOf(path), decodePercentEncoding(address));
    if (linked !== undefined && known.has(linked)) continue;
    if (isModule) {
      const message = `${target} is loaded by the page, and the book has no such file.`;
      findings.push(
        warning(path, 'Import of MDX', message, 'Correct the address, or leave it to the site after an export.'),
      );
      continue;
    }
    const issue = isImage ? 'Dead image' : 'Dead link';
    findings.push(
      warning(path, issue, `${target} leads to no file of the book.`, 'Correct the address or add the file.'),
    );
  }
  for (const directive of findMdBookIncludes(markdown)) {
    const message = `${directive} is not replaced in the library.`;
    findings.push(
      warning(path, 'Include of mdBook', message, 'Insert the text, or leave it to mdbook after an export.'),
    );
  }
  return findings;
}

const maxLineCharacters = 1000;

/**
 * Finds an error in the front matter of a page that a YAML parser would reject. Only errors that are visible in a
 * single line are found.
 */
export function findFrontMatterError(path: string, markdown: string): ValidationFinding | undefined {
  const [first, ...lines] = markdown.replace(/^\ufeff/, '').split(/\r?\n/);
  if (first?.trimEnd() !== '---') return undefined;
  const end = lines.findIndex(line => line.trimEnd() === '---');
  const fault = end === -1 ? 'has no closing line "---"' : lines.slice(0, end).map(lineFault).find(Boolean);
  if (fault === undefined) return undefined;
  const suggestion = 'Correct the YAML between the two lines "---"; put a value with ": " in quotation marks.';
  return warning(path, 'Invalid front matter', `The front matter ${fault}.`, suggestion);
}

function lineFault(line: string): string | undefined {
  const shown = JSON.stringify(line.slice(0, 80));
  if (line.length > maxLineCharacters || /^\s*(?:#|$)/.test(line)) return undefined;
  if (/^ *\t/.test(line)) return `is indented with a tab: ${shown}`;
  const [, value = ''] = /^[A-Za-z_][\w-]*:[ \t]+(.*)$/.exec(line) ?? [];
  if (/^[@`%]/.test(value)) return `has a value that starts with a reserved character: ${shown}`;
  if (/^[^'"[{|>&*!#].*:(?: |$)/.test(value)) return `has a value with ": " without quotation marks: ${shown}`;
  return undefined;
}
