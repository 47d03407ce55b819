import type { TextRange } from './config-editor.ts';

/** A text, with the ranges that must not be printed. */
export interface TextWithHiddenParts {
  text: string;
  hidden: readonly TextRange[];
}

/** Matches the value after a flag for a secret, in JSON and TOML. References to variables do not match. */
const secretArguments = /("--token",[\s+-]*"|"--token=)(?![${])(?:[^"\\]|\\.)+/gi;

/** The user name and password in an address, for example of a proxy. */
const userInfo = /:\/\/[^\s"/]+@/g;

/**
 * Returns the lines in which two texts differ, between their common first lines and their common last lines. Hidden
 * ranges and secrets are masked.
 */
export function formatChangedLines(before: TextWithHiddenParts, after: TextWithHiddenParts): string[] {
  const [old, fresh] = [linesOf(before.text), linesOf(after.text)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const [oldShown, freshShown] = [linesOf(mask(before)), linesOf(mask(after))];
  const lines = [
    ...oldShown.slice(start, old.length - end).map(line => `- ${line}`),
    ...freshShown.slice(start, fresh.length - end).map(line => `+ ${line}`),
  ];
  if (lines.length === 0) return lines;
  return lines.join('\n').replace(secretArguments, '$1…').replace(userInfo, '://…@').split('\n');
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

/** Masks the hidden ranges of a text but keeps their line breaks, so that line numbers stay the same. */
function mask({ text, hidden }: TextWithHiddenParts): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const { from, to } of hidden.toSorted((one, other) => one.from - other.from)) {
    pieces.push(text.slice(copied, from), text.slice(from, to).replace(/[^\r\n"']+/g, '…'));
    copied = to;
  }
  return pieces.join('') + text.slice(copied);
}
