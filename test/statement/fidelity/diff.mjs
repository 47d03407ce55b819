// This module computes a shortest edit script (Myers) between two lists of words, as hunks of removed and added words.

/** If the lists have more differences, they are first split at words that are unique in both. */
const maxEdits = 120;

/** Returns `[{ at, lost: […], added: […] }]`, where `at` is the index in `before`. */
export function diff(before, after, isSame = (a, b) => a === b) {
  let start = 0;
  let endBefore = before.length;
  let endAfter = after.length;
  while (start < endBefore && start < endAfter && isSame(before[start], after[start])) start++;
  while (endBefore > start && endAfter > start && isSame(before[endBefore - 1], after[endAfter - 1])) {
    endBefore--;
    endAfter--;
  }
  if (start === endBefore && start === endAfter) return [];
  const lost = before.slice(start, endBefore);
  const added = after.slice(start, endAfter);
  if (lost.length === 0 || added.length === 0) return [{ at: start, lost, added }];
  return hunks(lost, added, keptPairs(lost, added, isSame)).map(hunk => ({ ...hunk, at: hunk.at + start }));
}

/** Returns pairs of indexes. Each pair is a word that the two lists have in common, in the same order. */
function keptPairs(before, after, isSame) {
  const pairs = shortestWay(before, after, isSame);
  if (pairs !== undefined) return pairs;
  const found = [];
  let x = 0;
  let y = 0;
  const cuts = commonOnce(before, after);
  for (const [cutX, cutY] of cuts.length === 0 ? [] : [...cuts, [before.length, after.length]]) {
    for (const [keptX, keptY] of keptPairs(before.slice(x, cutX), after.slice(y, cutY), isSame)) {
      found.push([keptX + x, keptY + y]);
    }
    if (cutX < before.length) found.push([cutX, cutY]);
    x = cutX + 1;
    y = cutY + 1;
  }
  return found;
}

/** Returns the longest sequence of words that are unique in both lists and have the same order in both. */
function commonOnce(before, after) {
  const places = placesOfSingles(after);
  const pairs = [...placesOfSingles(before)]
    .filter(([word]) => places.has(word))
    .map(([word, x]) => [x, places.get(word)]);
  const ends = [];
  const previous = new Map();
  for (const pair of pairs.sort(([a], [b]) => a - b)) {
    let at = ends.findIndex(end => end[1] >= pair[1]);
    if (at === -1) at = ends.length;
    previous.set(pair, ends[at - 1]);
    ends[at] = pair;
  }
  const chain = [];
  for (let pair = ends.at(-1); pair !== undefined; pair = previous.get(pair)) chain.push(pair);
  return chain.reverse();
}

function placesOfSingles(row) {
  const places = new Map();
  const repeated = new Set();
  for (const [index, word] of row.entries()) {
    if (places.has(word)) repeated.add(word);
    places.set(word, index);
  }
  for (const word of repeated) places.delete(word);
  return places;
}

/** Returns undefined if the lists have too many differences. */
function shortestWay(before, after, isSame) {
  const trace = [];
  let furthest = new Map([[1, 0]]);
  for (let depth = 0; depth <= Math.min(maxEdits, before.length + after.length); depth++) {
    const next = new Map();
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      const down =
        diagonal === -depth ||
        (diagonal !== depth && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1));
      let x = down ? furthest.get(diagonal + 1) : furthest.get(diagonal - 1) + 1;
      let y = x - diagonal;
      while (x < before.length && y < after.length && isSame(before[x], after[y])) {
        x++;
        y++;
      }
      next.set(diagonal, x);
      if (x >= before.length && y >= after.length) {
        trace.push(next);
        return walkedBack(trace, before.length, after.length);
      }
    }
    trace.push(next);
    furthest = next;
  }
  return undefined;
}

function walkedBack(trace, lengthBefore, lengthAfter) {
  const pairs = [];
  let x = lengthBefore;
  let y = lengthAfter;
  for (let depth = trace.length - 1; depth > 0; depth--) {
    const furthest = trace[depth - 1];
    const diagonal = x - y;
    const down =
      diagonal === -depth ||
      (diagonal !== depth && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1));
    const from = down ? diagonal + 1 : diagonal - 1;
    const fromX = furthest.get(from);
    const startX = down ? fromX : fromX + 1;
    while (x > startX) pairs.push([--x, --y]);
    x = fromX;
    y = fromX - from;
  }
  while (x > 0 && y > 0) pairs.push([--x, --y]);
  return pairs.reverse();
}

function hunks(before, after, pairs) {
  const found = [];
  let x = 0;
  let y = 0;
  for (const [keptX, keptY] of [...pairs, [before.length, after.length]]) {
    if (keptX > x || keptY > y) found.push({ at: x, lost: before.slice(x, keptX), added: after.slice(y, keptY) });
    x = keptX + 1;
    y = keptY + 1;
  }
  return found;
}
