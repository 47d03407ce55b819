const SPECIAL = /[\\`*_<&\]~$]/;
const LOOKS_LIKE_MARKUP = /\\(?=[*_`<~&])|<(?=[a-zA-Z/!?])|&(?=#?\w+;)|\](?=\()/g;
const LINE_START =
  /^(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|-{2,}\s*$|=+\s*$|~{3,}|\d{1,9}(?=[.)](?:\s|$))|\[(?=[^[\]]{1,999}\]:)|\|?(?=[\s:|]*-[\s:|-]*$))/;
const WORD = /[\p{L}\p{N}]/u;
const MARK_RUN = { '*': /\*+/g, _: /_+/g };

/**
 * Escapes what Markdown would take for markup, and nothing else: a model reads the source, where `a\_i` is noise.
 * TeX between dollars or `\(…\)` is left alone.
 */
export function escapeMarkdown(text: string, isAtLineStart: boolean): string {
  const escaped = SPECIAL.test(text) ? escapeOutsideMath(text) : text;
  if (!isAtLineStart) return escaped;
  const marker = LINE_START.exec(escaped)?.[0];
  if (marker === undefined) {
    // A lone marker of a list or a rule, which the pairs below do not count.
    return /^\*(?:\s|$)|^(?:\*\s*){3,}$|^(?:_\s*){3,}$|^`{3}/.test(escaped.slice(0, 100)) ? `\\${escaped}` : escaped;
  }
  const digits = /^\d+/.exec(marker)?.[0] ?? '';
  return `${digits}\\${escaped.slice(digits.length)}`;
}

function escapeOutsideMath(text: string): string {
  if (!text.includes('$') && !text.includes('\\')) return escapeInline(text);
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of mathSpans(text)) {
    parts.push(escapeInline(text.slice(done, start)), text.slice(start, end));
    done = end;
  }
  return parts.join('') + escapeInline(text.slice(done));
}

const MATH_OPENER = /\${1,3}|\\[([]/g;
const MATH_CLOSER: Readonly<Record<string, string>> = { '\\(': '\\)', '\\[': '\\]' };

/** Where TeX stands in a text: `$…$`, `$$…$$`, Codeforces' `$$$…$$$`, `\(…\)`, `\[…\]`. */
export function* mathSpans(text: string): Generator<{ start: number; end: number }> {
  const missing = new Set<string>();
  const openers = new RegExp(MATH_OPENER);
  for (let match = openers.exec(text); match !== null; match = openers.exec(text)) {
    const opener = match[0];
    if (text[match.index - 1] === '\\' || missing.has(opener)) continue;
    const closer = MATH_CLOSER[opener] ?? opener;
    const bodyStart = match.index + opener.length;
    const close = text.indexOf(closer, bodyStart);
    // Looked for once: a text of openers alone must not be searched to its end for each of them.
    if (close === -1) missing.add(opener);
    if (close === -1 || (opener === '$' && !isDollarMath(text, bodyStart, close))) continue;
    const end = close + closer.length;
    yield { start: match.index, end };
    openers.lastIndex = end;
  }
}

// "costs $5 and $6" is money; the rule is pandoc's, and a formula does not run over an empty line.
function isDollarMath(text: string, start: number, close: number): boolean {
  if (close === start || close - start > 2000) return false;
  if (/\s/.test(text[start] ?? '') || /\s/.test(text[close - 1] ?? '') || /\d/.test(text[close + 1] ?? ''))
    return false;
  return !/\n\s*\n/.test(text.slice(start, close));
}

function escapeInline(text: string): string {
  if (!SPECIAL.test(text)) return text;
  let escaped = text.replace(LOOKS_LIKE_MARKUP, found => (found === ']' ? ']\\' : `\\${found}`));
  if (text.includes('`') && text.indexOf('`') !== text.lastIndexOf('`')) escaped = escaped.replaceAll('`', '\\`');
  if (text.includes('~~') && text.indexOf('~~') !== text.lastIndexOf('~~')) escaped = escaped.replaceAll('~~', '\\~~');
  if (text.includes('*')) escaped = escapeEmphasis(escaped, '*');
  return text.includes('_') ? escapeEmphasis(escaped, '_') : escaped;
}

/** CommonMark: a run opens emphasis before a non-blank, closes it after one; `_` does neither inside a word. */
function escapeEmphasis(text: string, mark: '*' | '_'): string {
  let isOpen = false;
  let isPair = false;
  const isActive = (at: number, length: number): boolean => {
    const before = text[at - 1];
    const after = text[at + length];
    const mayOpen =
      after !== undefined && after.trim() !== '' && (mark === '*' || before === undefined || !isWord(before));
    const mayClose =
      before !== undefined && before.trim() !== '' && (mark === '*' || after === undefined || !isWord(after));
    if (mayClose && isOpen) isPair = true;
    if (mayOpen) isOpen = true;
    // A star that touches the edge of its text touches an element, perhaps one with stars of its own.
    if (mark === '*' && (mayOpen || mayClose) && (before === undefined || after === undefined)) isPair = true;
    return mayOpen || mayClose;
  };
  const escaped = text.replace(MARK_RUN[mark], (run, at: number) =>
    isActive(at, run.length) && text[at - 1] !== '\\' ? `\\${mark}`.repeat(run.length) : run,
  );
  return isPair ? escaped : text;
}

function isWord(character: string): boolean {
  return character > '\x7f' || WORD.test(character);
}
