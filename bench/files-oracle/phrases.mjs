/**
 * Creates a function that draws phrases from texts by a seed: in turn a word, a phrase, a phrase with non-ASCII
 * characters and a part of a word.
 */
export function createDraw(texts, seed) {
  const all = [...texts.values()];
  let state = seed;
  const random = below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return kind => {
    for (;;) {
      const text = all[random(all.length)];
      const phrase = kind === 2 ? beyondAscii(text, random) : words(text, kind, random);
      if (phrase.length > (kind === 2 ? 1 : 2) && phrase.isWellFormed()) return phrase;
    }
  };
}

function beyondAscii(text, random) {
  const places = [...text.slice(0, 200_000).matchAll(/[^\0-\x7f'"-]|['"-]\w/g)];
  if (places.length === 0) return '';
  const at = places[random(places.length)].index;
  return text
    .slice(Math.max(0, at - random(8)), at + 2 + random(8))
    .replaceAll('\0', ' ')
    .trim();
}

function words(text, kind, random) {
  const some = text.slice(random(text.length)).split(/[ \0]/, 8).slice(1);
  return (kind === 1 ? some.slice(0, 2 + random(3)).join(' ') : (some[0] ?? '')).slice(kind === 3 ? 1 : 0, 40).trim();
}
