import { mapStrings } from '../text/map-strings.ts';

const newline = 0x0a;

/**
 * Serializes the message to one line. All strings become well-formed Unicode, because parsers in Python and Rust reject
 * lone surrogates. Only the request id stays unchanged.
 */
export function serializeMessage(message: object): Buffer {
  const json = JSON.stringify(message);
  // JSON.stringify escapes a lone surrogate as `\ud…`. This text is rare in other strings, so that a search for it is a
  // cheap test.
  const line = json.includes(String.raw`\ud`) ? JSON.stringify(withWellFormedStrings(message)) : json;
  return lineBytes(line);
}

/**
 * Encodes the line and its line break as bytes. For a string, the stream would allocate three bytes per character, and
 * appending the line break would copy the string.
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
