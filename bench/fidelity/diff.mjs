// The shortest way from one row of words to another (Myers), as hunks of what is missing and what is new.

/** More differences than this are not looked for one by one. */
const maxEdits = 1200;

/** `[{ at, lost: […], added: […] }]`, `at` being the place in `before`. */
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
  return hunks(lost, added, edits(lost, added, isSame)).map(hunk => ({ ...hunk, at: hunk.at + start }));
}

/** Pairs of kept indices, in order; none at all when the rows have too little in common. */
function edits(before, after, isSame) {
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
        return keptPairs(trace, before.length, after.length);
      }
    }
    trace.push(next);
    furthest = next;
  }
  return [];
}

function keptPairs(trace, lengthBefore, lengthAfter) {
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
