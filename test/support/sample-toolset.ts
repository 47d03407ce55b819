import * as v from 'valibot';
import { Failure } from '../../src/errors/failure.ts';
import { defineTool, defineToolset } from '../../src/toolset/toolset.ts';

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

interface Desk {
  greeting: string;
  /** Counts the started calls of the tool `say`. */
  said?: number;
  /** Counts the cancelled calls of the tool `wait`. */
  cancelled: number;
}

/** Returns a minimal toolset with one tool for each way in which a call can end. */
export function sampleToolset(desk: Desk = { greeting: 'hello', cancelled: 0 }) {
  return defineToolset({
    name: 'sample',
    summary: 'Tools for tests',
    instructions: 'Call what the test needs.',
    isDefault: false,
    flags: {
      greeting: { type: 'string', description: 'What to say' },
      'sample-secret': { type: 'string', description: 'What not to say', isSecret: true },
    },
    settings: values => ({ greeting: values.greeting ?? desk.greeting, secret: values['sample-secret'] }),
    secrets: ({ secret }) => (secret === undefined ? [] : [secret]),
    maxTextBytes: 1000,
    argumentReport: message => ({ error: 'BadArgument', message }),
    load: async () => ({
      tools: [say, count, skip, work, wait, refuse, object, lose, stumble, crash],
      createContext: ({ greeting }) => {
        desk.greeting = greeting;
        return desk;
      },
    }),
  });
}

const say = defineTool({
  name: 'say',
  title: 'Say',
  description: 'Returns the greeting and the text.',
  input: v.strictObject({ text: v.optional(v.string()) }),
  annotations,
  handler({ text = '' }, desk: Desk) {
    desk.said = (desk.said ?? 0) + 1;
    return `${desk.greeting} ${text}`;
  },
});

const count = defineTool({
  name: 'count',
  title: 'Count',
  description: 'Returns how many characters the text has.',
  input: v.strictObject({ text: v.string() }),
  output: v.object({ text: v.string(), characters: v.number() }),
  annotations,
  handler({ text }) {
    const structured = { text, characters: text.length };
    return { text: JSON.stringify(structured), structured };
  },
});

const skip = defineTool({
  name: 'skip',
  title: 'Skip',
  description: 'Answers with notes on what was left out.',
  input: v.strictObject({ notes: v.array(v.string()) }),
  output: v.strictObject({ found: v.number() }),
  annotations,
  handler: ({ notes }) => ({ text: '{"found":0}', structured: { found: 0 }, notes }),
});

const work = defineTool({
  name: 'work',
  title: 'Work',
  description: 'Tells how far it has come, who asked, and where the result is.',
  input: v.strictObject({}),
  output: v.strictObject({ agent: v.optional(v.string()) }),
  annotations,
  handler(_, __, { agent, progress }) {
    progress(1, 2, 'half');
    progress(2);
    const links = [{ uri: 'file:///result.txt', name: 'result.txt', mimeType: 'text/plain' }];
    return { text: 'done', structured: { ...(agent !== undefined && { agent }) }, links };
  },
});

const wait = defineTool({
  name: 'wait',
  title: 'Wait',
  description: 'Never returns by itself.',
  input: v.strictObject({}),
  annotations,
  handler: (_, desk: Desk, { signal }) =>
    new Promise<string>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        desk.cancelled++;
        reject(new DOMException('gone', 'AbortError'));
      });
    }),
});

const refuse = defineTool({
  name: 'refuse',
  title: 'Refuse',
  description: 'Fails as a rule that says no.',
  input: v.strictObject({ text: v.string() }),
  annotations,
  handler({ text }) {
    throw new Failure('refused', `No: ${text}`, { hint: 'Ask otherwise.' });
  },
});

const object = defineTool({
  name: 'object',
  title: 'Object',
  description: 'Fails with an object for programs.',
  input: v.strictObject({ text: v.string() }),
  annotations,
  handler({ text }) {
    throw new Failure('refused', 'not shown', { report: { error: 'Objection', text } });
  },
});

const lose = defineTool({
  name: 'lose',
  title: 'Lose',
  description: 'Fails as a network does.',
  input: v.strictObject({ text: v.string() }),
  annotations,
  handler({ text }) {
    throw new Failure('network', text, { hint: 'Try again.' });
  },
});

const stumble = defineTool({
  name: 'stumble',
  title: 'Stumble',
  description: 'Meets a bug and answers without what it broke.',
  input: v.strictObject({}),
  annotations,
  handler(_, __, { report }) {
    report(new TypeError('secret details'));
    return 'half an answer';
  },
});

const crash = defineTool({
  name: 'crash',
  title: 'Crash',
  description: 'Fails as a bug does.',
  input: v.strictObject({}),
  annotations,
  handler() {
    throw new DOMException('secret details', 'TimeoutError');
  },
});
