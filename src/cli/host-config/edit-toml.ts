import { NotEditable } from './edit-json.ts';

const opening = '# oj-mcp begin: written by --install, removed by --uninstall';
const closing = '# oj-mcp end';
/** This note means that the file had no final line break, so that an uninstallation restores this. */
const unended = ' (the file had no final line break)';

/** Appends a marked block, or replaces the marked block of an earlier installation. */
export function setBlock(source: string, table: string, block: string): string {
  const rest = removeBlock(source);
  const header = new RegExp(`^[ \\t]*\\[[ \\t]*${table.replaceAll('.', '[ \\t]*\\.[ \\t]*')}[ \\t]*[.\\]]`, 'm');
  if (header.test(rest)) throw new NotEditable(`has [${table}], which --install has not written: remove it first`);
  const eol = rest.includes('\r\n') ? '\r\n' : '\n';
  const isEnded = rest === '' || rest.endsWith('\n');
  const first = isEnded ? opening : `${eol}${opening}${unended}`;
  return rest + [first, ...block.split('\n'), closing, ''].join(eol);
}

/** Removes the marked block. All other bytes stay unchanged. */
export function removeBlock(source: string): string {
  const from = source.indexOf(opening);
  if (from === -1) return source;
  const end = source.indexOf(closing, from);
  if (end === -1) throw new NotEditable(`has "${opening}" without "${closing}"`);
  const newline = source.indexOf('\n', end);
  const before = source.slice(0, from);
  const isEnded = !source.startsWith(unended, from + opening.length);
  return (isEnded ? before : before.replace(/\r?\n$/, '')) + (newline === -1 ? '' : source.slice(newline + 1));
}

export function hasBlock(source: string): boolean {
  return source.includes(opening);
}
