export type Redact = (text: string) => string;

/** Shorter than this a secret also occurs by chance, and taking it out would harm the text. */
const minSecretLength = 8;

/** Takes secrets out of a text, also where Markdown, JSON or a URL has escaped some of their characters. */
export function createRedactor(secrets: readonly string[]): Redact {
  const patterns = secrets
    .filter(secret => secret.length >= minSecretLength)
    .toSorted((left, right) => right.length - left.length)
    .map(secret => Array.from(secret, anyForm).join(''));
  if (patterns.length === 0) return text => text;
  const pattern = new RegExp(patterns.join('|'), 'g');
  return text => text.replace(pattern, '[redacted]');
}

function anyForm(character: string): string {
  const hex = character.charCodeAt(0).toString(16);
  return `(?:%(?:${hex}|${hex.toUpperCase()})|\\\\?${escapePattern(character)})`;
}

function escapePattern(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
}
