// Computes vectors without a model: texts with common words get similar vectors.

const dimensions = 768;

/**
 * The backend computes the similarity as 1 minus the distance, so that the distance of two vectors must not exceed this
 * value.
 */
const maxDistance = 0.9;

/**
 * Returns the vector of a text. Each word, and each pair of Chinese characters, has its own dimension. The length of
 * the text has no effect.
 */
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

/** Returns the FNV-1a hash. */
function hash(word) {
  let sum = 0x811c9dc5;
  for (const byte of Buffer.from(word)) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
  return sum;
}
