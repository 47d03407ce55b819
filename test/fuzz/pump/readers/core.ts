import { parseCommandLine } from '../../../../src/cli/argv.ts';
import { isPlaceholder } from '../../../../src/cli/placeholder.ts';
import { serverFlags } from '../../../../src/cli/settings.ts';
import { Failure } from '../../../../src/errors/failure.ts';
import { createRedactor } from '../../../../src/log/redact.ts';
import { OversizedLine } from '../../../../src/mcp/long-line.ts';
import { removeInvisibleCharacters } from '../../../../src/text/invisible.ts';
import { defineReader, nest, repeat } from '../reader.ts';

/** Characters that are invisible or that change only the characters next to them. */
export const invisible = [
  '\u200b',
  '\ufe0f',
  'a\u200d',
  '😀\u200d',
  '1\ufe0f',
  '\u0300',
  'क\u200d',
  '\u{e0041}',
  '\u180b',
];

/**
 * The secrets contain each type of character that a redactor may treat in its own way: digits, letters of both cases,
 * signs and dots.
 */
const secrets = [
  '1234567890123456',
  'aaaaaaaaaaaaaaaa',
  'aZ09-_.~aZ09-_.~',
  '!"#$%&()*+,/:;<=',
  'eyJhbGciOiJI.eyJz.c2',
];

const redactor = secrets.flatMap(secret => {
  const hex = (character: string): string => character.charCodeAt(0).toString(16);
  const start = secret.slice(0, -1);
  const forms = [
    start,
    Array.from(start, character => `%${hex(character)}`).join(''),
    Array.from(start, character => `%25${hex(character)}`).join(''),
    Array.from(start, character => `\\${character}`).join(''),
    Array.from(start, character => `\\u00${hex(character)}`).join(''),
    Array.from(start, character => `&#${character.charCodeAt(0)};`).join(''),
    Array.from(start, character => `${character}\u200b`).join(''),
  ];
  const redact = createRedactor([secret]);
  const read = (input: Buffer): string => redact(input.toString('utf8'));
  const pieces = [...forms, ...forms.map(form => form.slice(0, -1)), secret.slice(0, 1), '%', '\\', '\u200b'];
  return defineReader({ name: `redactor ${secret.slice(0, 4)}`, cases: repeat(pieces), read });
});

const text = defineReader({
  name: 'invisible characters',
  cases: repeat(invisible),
  read: input => removeInvisibleCharacters(input.toString('utf8')),
});

const longLine = defineReader({
  name: 'long line',
  cases: [
    ...repeat(['"a":1,', '"a":{},', ' ', '\\"', '"id":1,', '"a":"b",', '{"a":', '['], '{'),
    ...repeat([' ', '"a":1,', '\\\\'], '{"a":"', '","id":7}'),
    ...nest(
      [
        ['{"a":', '}'],
        ['[', ']'],
      ],
      '{"a":',
    ),
  ],
  read(input) {
    const line = new OversizedLine(input);
    return line.id();
  },
});

const commandLine = defineReader({
  name: 'command line',
  cases: repeat(['--demo\0', '--toolsets=a\0', '--toolset\0', '-h', '-', '=', '--x']),
  read(input) {
    try {
      return parseCommandLine(input.toString('utf8').split('\0'), serverFlags);
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  },
});

const placeholder = defineReader({
  name: 'placeholder',
  cases: [...repeat(['${', '%abc', '<a', '{{', '$A', '{env:', '$env:', '/', 'a']), ...repeat(['A', '/$A'], '/$A')],
  read: input => isPlaceholder(input.toString('utf8')),
});

export const readers = [...redactor, text, longLine, commandLine, placeholder];
