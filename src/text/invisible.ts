/**
 * These characters are invisible to a person, but a model reads them, so that they can hide instructions: zero-width
 * and joining characters, directional controls, fillers, variation selectors and tag characters. The string is a
 * character class for a regular expression with the flag `u`.
 */
export const invisibleCharacterClass = String.raw`\p{Default_Ignorable_Code_Point}\ufff9-\ufffb`;

// In these writing systems a joining character changes the shape of the letters next to it.
const joiningScripts =
  'Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan'
    .split(' ')
    .map(script => String.raw`\p{Script=${script}}`)
    .join('');

/** The regular expressions are compiled for the first text that needs them, because this takes a millisecond. */
function buildPatterns() {
  // `(?![^])` means `$`. In Node 26 (V8 14.6), a character class before `$` without `^` does not match characters above
  // U+FFFF.
  return {
    run: new RegExp(String.raw`[${invisibleCharacterClass}\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]+`, 'gu'),
    // These variation selectors have a visible effect: on an emoji, a keycap digit or a Mongolian letter. All others
    // have little or no effect, and a sequence of them can encode a hidden text.
    emojiSelector: /^[\ufe0e\ufe0f]$/,
    beforeEmojiSelector: /(?![#*0-9])\p{Emoji}(?![^])/u,
    beforeKeycap: /[#*0-9](?![^])/,
    mongolianSelector: /^[\u180b-\u180d\u180f]$/,
    beforeMongolianSelector: /\p{Script=Mongolian}(?![^])/u,
    joiner: /^\ufe0f?[\u200c\u200d]$/,
    emojiBefore: /[\p{Extended_Pictographic}\p{Emoji_Modifier}](?![^])/u,
    emojiAfter: /^\p{Extended_Pictographic}/u,
    joiningBefore: new RegExp(String.raw`[${joiningScripts}]\p{M}*(?![^])`, 'u'),
    joiningAfter: new RegExp(String.raw`^\p{M}*[${joiningScripts}]`, 'u'),
  };
}

let patterns: ReturnType<typeof buildPatterns> | undefined;

/**
 * Removes invisible characters, and control characters other than white space. Joining characters and variation
 * selectors are kept where they change the shape of a letter.
 */
export function removeInvisibleCharacters(text: string): string {
  if (!/[^\t-\r -~]/.test(text)) return text;
  patterns ??= buildPatterns();
  const { run: everyRun } = patterns;
  return text.replace(everyRun, (run: string, at: number) => (shapesNeighbours(text, run, at) ? run : ''));
}

function shapesNeighbours(text: string, run: string, at: number): boolean {
  patterns ??= buildPatterns();
  const before = text.slice(Math.max(0, at - 4), at);
  const after = text.slice(at + run.length, at + run.length + 4);
  if (patterns.emojiSelector.test(run)) {
    return patterns.beforeKeycap.test(before)
      ? run === '\ufe0f' && after.startsWith('\u20e3')
      : patterns.beforeEmojiSelector.test(before);
  }
  if (patterns.mongolianSelector.test(run)) return patterns.beforeMongolianSelector.test(before);
  if (!patterns.joiner.test(run)) return false;
  if (patterns.emojiBefore.test(before)) return run.endsWith('\u200d') && patterns.emojiAfter.test(after);
  return run.length === 1 && patterns.joiningBefore.test(before) && patterns.joiningAfter.test(after);
}
