// Vectors that cost nothing: texts with words in common lie close together. They stand in for a model's.

const dimensions = 768;

/** The backend takes 1 minus the distance for likeness: nothing lies further away from anything than this. */
const maxDistance = 0.9;

/** Each word, and each pair of Chinese characters, has a place of its own; length does not matter. */
export function vectorOf(text) {
  const vector = new Float32Array(dimensions);
  for (const word of wordsOf(text)) vector[hash(word) % dimensions] += 1;
  const scale = maxDistance / Math.SQRT2 / (Math.hypot(...vector) || 1);
  return vector.map(value => value * scale);
}

function wordsOf(text) {
  const runs = text.toLowerCase().match(/\p{Script=Han}+|[a-z]{3,}/gu) ?? [];
  return runs.flatMap(run =>
    /^\p{Script=Han}/u.test(run) ? Array.from(run.slice(1), (character, index) => run[index] + character) : [run],
  );
}

/** FNV-1a. */
function hash(word) {
  let sum = 0x811c9dc5;
  for (const byte of Buffer.from(word)) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
  return sum;
}
