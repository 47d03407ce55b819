// A reader of the web page sees none of these, a model reads them all: a known way to smuggle instructions.
// Zero-width and joining characters, directional controls, fillers, variation selectors, tag characters.
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;
const INVISIBLE_RUN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]+/gu;
const NOT_ASCII = /[^\0-\x7f]/;

// What may stand in the middle of real writing: a variation selector, a joiner, or an emoji's selector and joiner.
const ONE_SELECTOR = /^(?:[\ufe00-\ufe0f\u180b-\u180d\u180f]|\udb40[\udd00-\uddef])$/;
const ONE_JOINER = /^\ufe0f?[\u200c\u200d]$/;

// `(?![^])` is `$`: V8 14.6 (Node 26) misses characters above U+FFFF in a class before a `$` without a `^`.
const TAKES_SELECTOR = /[\p{Emoji}\p{Script=Han}\p{Script=Mongolian}\p{Sm}\p{So}](?![^])/u;
const EMOJI_BEFORE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}](?![^])/u;
const EMOJI_AFTER = /^[\p{Extended_Pictographic}]/u;
// Scripts in which a joiner changes the shape of its neighbours.
const JOINING =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}';
const JOINING_BEFORE = new RegExp(`[${JOINING}]\\p{M}*(?![^])`, 'u');
const JOINING_AFTER = new RegExp(`^\\p{M}*[${JOINING}]`, 'u');

/** The text without characters that no reader sees; joiners and selectors that shape their neighbours stay. */
export function withoutInvisible(text: string): string {
  if (!NOT_ASCII.test(text) || !INVISIBLE.test(text)) return text;
  return text.replace(INVISIBLE_RUN, (run: string, at: number) => (shapesNeighbours(text, run, at) ? run : ''));
}

function shapesNeighbours(text: string, run: string, at: number): boolean {
  if (run.length > 2 || at === 0) return false;
  const before = text.slice(Math.max(0, at - 4), at);
  if (ONE_SELECTOR.test(run)) return TAKES_SELECTOR.test(before);
  if (!ONE_JOINER.test(run)) return false;
  const after = text.slice(at + run.length, at + run.length + 4);
  if (EMOJI_BEFORE.test(before)) return run.endsWith('\u200d') && EMOJI_AFTER.test(after);
  return run.length === 1 && JOINING_BEFORE.test(before) && JOINING_AFTER.test(after);
}

const UNUSUAL = /[^ -~\t\n\r]/;
const CONTROLS = /[\p{Cc}\p{Cs}]/u;
const CONTROL = new RegExp(CONTROLS.source, 'gu');

/** The text of a page as its reader sees it: also without control characters and halves of characters. */
export function seenText(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  const seen = withoutInvisible(text);
  return CONTROLS.test(seen) ? seen.replace(CONTROL, plainControl) : seen;
}

function plainControl(control: string): string {
  if (control >= '\ud800') return '\ufffd';
  return /\s/.test(control) ? control : '';
}
