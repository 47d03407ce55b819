import { mapStrings } from '../text/map-strings.ts';

const newline = 0x0a;

/**
 * Returns the message as one line. Every string in it is well-formed Unicode, because parsers in Python and Rust reject
 * a line with a lone surrogate. Only the id is returned as the client sent it.
 */
export function serializeMessage(message: object): Buffer {
  const json = JSON.stringify(message);
  // JSON.stringify writes a lone surrogate as `\ud…`. Other strings contain this sequence rarely.
  const line = json.includes(String.raw`\ud`) ? JSON.stringify(withWellFormedStrings(message)) : json;
  return lineBytes(line);
}

/**
 * Encodes the line and its line break. For a string, the stream would allocate three bytes per character, and appending
 * the line break to the string would copy it.
 */
function lineBytes(line: string): Buffer {
  const length = Buffer.byteLength(line);
  const bytes = Buffer.allocUnsafe(length + 1);
  bytes.write(line);
  bytes[length] = newline;
  return bytes;
}

function withWellFormedStrings(message: object): object {
  return Object.fromEntries(
    Object.entries(message).map(([name, value]: [string, unknown]) => [
      name,
      name === 'id' ? value : mapStrings(value, text => text.toWellFormed()),
    ]),
  );
}
