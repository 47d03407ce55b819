import { mapStrings } from '../text/map-strings.ts';

/**
 * Returns the message as one line. Every string in it is well-formed Unicode, because parsers in Python and Rust reject
 * a line with a lone surrogate. Only the id is returned as the client sent it.
 */
export function serializeMessage(message: object): Buffer {
  const json = JSON.stringify(message);
  // JSON.stringify writes a lone surrogate as `\ud…`. Other strings contain this sequence rarely.
  const line = json.includes(String.raw`\ud`) ? JSON.stringify(withWellFormedStrings(message)) : json;
  // The line is converted to bytes, because for a string the stream allocates three bytes per character.
  return Buffer.from(`${line}\n`);
}

function withWellFormedStrings(message: object): object {
  return Object.fromEntries(
    Object.entries(message).map(([name, value]: [string, unknown]) => [
      name,
      name === 'id' ? value : mapStrings(value, text => text.toWellFormed()),
    ]),
  );
}
