export type Attributes = Readonly<Record<string, string | undefined>>;

/** All tags without attributes share this object. */
export const emptyAttributes: Attributes = {};

/**
 * Returns the type of the counter in a list: `A`, `a`, `I`, `i`, `α`, `0` for numbers with two digits, or an empty
 * string for ordinary numbers.
 */
export function listCounterStyleOf({ type }: Attributes, style: ReadonlyMap<string, string>): string {
  const written = style.get('list-style-type') ?? style.get('list-style') ?? '';
  if (written.includes('decimal-leading-zero')) return '0';
  if (written.includes('lower-greek')) return 'α';
  const [, size, system = ''] = /(lower|upper)-(alpha|latin|roman)/.exec(written) ?? [];
  if (size !== undefined) {
    const counter = system === 'roman' ? 'i' : 'a';
    return size === 'upper' ? counter.toUpperCase() : counter;
  }
  if (/decimal|none|disc|circle|square/.test(written)) return '';
  return type !== undefined && /^[aAiI]$/.test(type.trim()) ? type.trim() : '';
}

export function parseWholeNumber(text = ''): number | undefined {
  return /^\s*-?\d{1,9}/.test(text) ? Number.parseInt(text, 10) : undefined;
}

/**
 * Returns the language of a code block from its class attribute. For a sample of an interactive problem, the result is
 * `read` or `write`.
 */
export function codeLanguageOf({ class: className }: Attributes): string {
  return /(?:^|\s)(?:language-|lang-|brush:\s*|sampleinteraction)([\w+#-]{1,30})/.exec(className ?? '')?.[1] ?? '';
}

/** Returns whether the inline style draws a border on all sides. */
export function hasBorder({ style = '' }: Attributes): boolean {
  return /(?:^|;)\s*border\s*:[^;]*\b(?:solid|dashed|dotted|double)\b/i.test(style);
}
