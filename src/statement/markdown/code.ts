/** Returns a code span whose delimiter is longer than every run of backticks in the code. */
export function formatCodeSpan(code: string): string {
  const marks = '`'.repeat(longestRun(code) + 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return marks + pad + code + pad + marks;
}

export function formatFencedSample(sample: string, language: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(sample) + 1));
  return `${marks}${language}\n${sample === '' ? '' : `${sample}\n`}${marks}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
