/** Lines as editors count them: ended by LF, CR LF or CR, and by nothing else. One at a time: a text may have millions. */
export function* linesOf(text: string): Generator<string> {
  let start = 0;
  let nextReturn = text.indexOf('\r');
  for (;;) {
    const feed = text.indexOf('\n', start);
    if (nextReturn !== -1 && nextReturn < start) nextReturn = text.indexOf('\r', start);
    const end = nextReturn !== -1 && (feed === -1 || nextReturn < feed) ? nextReturn : feed;
    if (end === -1) {
      yield text.slice(start);
      return;
    }
    yield text.slice(start, end);
    start = end + (end === nextReturn && feed === end + 1 ? 2 : 1);
  }
}

const maxShown = 1000;
/** How much of a long line is shown before its match. */
const shownBefore = 200;

/** A line for a search result: without the blanks around it, and of a line longer than a page the part with the match. */
export function shownLine(line: string, matchAt: number): string {
  const trimmed = line.trim();
  if (trimmed.length <= maxShown) return trimmed;
  const place = matchAt - (line.length - line.trimStart().length);
  const start = Math.max(0, Math.min(place - shownBefore, trimmed.length - maxShown));
  const from = isSecondHalf(trimmed, start) ? start + 1 : start;
  const end = start + maxShown;
  const to = isSecondHalf(trimmed, end) ? end - 1 : end;
  return `${from > 0 ? '…' : ''}${trimmed.slice(from, to)}${to < trimmed.length ? '…' : ''}`;
}

/** Whether a cut there would go through a character. */
function isSecondHalf(text: string, at: number): boolean {
  return (
    at > 0 && at < text.length && /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1))
  );
}
