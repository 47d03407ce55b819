import { expect, test } from 'vitest';
import { findSimilarFlagNames, parseCommandLine } from '../../../src/cli/argv.ts';
import { formatChangedLines } from '../../../src/cli/host-config/changed-lines.ts';
import {
  type ConfigEditor,
  type ConfigValuePath,
  NotEditableError,
  type TextRange,
} from '../../../src/cli/host-config/config-editor.ts';
import {
  appendJsonItem,
  jsonConfigEditor,
  removeJsonItems,
  setJsonProperty,
} from '../../../src/cli/host-config/edit-json.ts';
import { tomlConfigEditor } from '../../../src/cli/host-config/edit-toml.ts';
import { isVariableReference } from '../../../src/cli/host-config/server-secrets.ts';
import { isPlaceholder } from '../../../src/cli/placeholder.ts';
import { serverFlags } from '../../../src/cli/settings.ts';
import { Failure } from '../../../src/errors/failure.ts';
import type { Flags } from '../../../src/toolset/toolset.ts';
import { listGenerated } from '../../support/generator.ts';
import { has, known } from '../../support/toolsets.ts';
import { commandLine, flagValue, jsonText, tomlText, twoVersions } from './generators.ts';

const flags: Flags = Object.assign({}, ...Array.from(known.values(), toolset => toolset.flags), serverFlags);
const entry = { command: 'npx', args: ['-y', 'oj-mcp'], env: { A: '1', B: 'é' } };

function outcomeOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof NotEditableError) return `error: ${error.message}`;
    if (error instanceof Failure) return `error: ${error.message} ${error.hint ?? ''}`;
    throw error;
  }
}

const isShown = (path: ConfigValuePath): boolean => path.includes('oj');

/** Returns the outcome of each edit. The content is unchanged if it is an empty string. */
function listEdits(editor: ConfigEditor, source: string, path: readonly string[]): unknown[] {
  const changed = (run: () => string): unknown =>
    outcomeOf(() => {
      const edited = run();
      return edited === source ? '' : edited;
    });
  return [
    outcomeOf(() => editor.read(source, path)),
    changed(() => editor.set(source, path, entry)),
    changed(() => editor.set(source, path, { command: 'x' })),
    changed(() => editor.remove(source, path)),
    outcomeOf(() => editor.hiddenRanges(source, isShown).map(({ from, to }) => source.slice(from, to))),
    outcomeOf(() => Number(editor.parse(source) !== undefined)),
  ];
}

function listJsonEdits(source: string): unknown {
  const edits = listEdits(jsonConfigEditor, source, ['mcpServers', 'oj']);
  return [
    ...edits,
    outcomeOf(() => setJsonProperty(source, ['a', 'b'], [1, { c: 2 }])),
    outcomeOf(() => appendJsonItem(source, 'list', { id: 1 })),
    outcomeOf(() => removeJsonItems(source, 'list', item => item === 'a' || item === 1)),
  ];
}

test('a JSON configuration that was edited contains the new entry, and none after its removal', () => {
  listGenerated(
    jsonText,
    source => {
      const path = ['mcpServers', 'oj'];
      const edited = outcomeOf(() => jsonConfigEditor.set(source, path, entry));
      if (typeof edited !== 'string' || edited.startsWith('error: ')) return;
      expect(jsonConfigEditor.read(edited, path)).toEqual(entry);
      expect(jsonConfigEditor.set(edited, path, entry)).toBe(edited);
      expect(jsonConfigEditor.read(jsonConfigEditor.remove(edited, path), path)).toBeUndefined();
    },
    { blocks: 3 },
  );
});

test('a TOML configuration that was edited contains the new entry, and none after its removal', () => {
  listGenerated(
    tomlText,
    source => {
      const path = ['mcp_servers', 'oj'];
      const edited = outcomeOf(() => tomlConfigEditor.set(source, path, entry));
      if (typeof edited !== 'string' || edited.startsWith('error: ')) return;
      expect(tomlConfigEditor.read(edited, path)).toEqual(entry);
      expect(tomlConfigEditor.set(edited, path, entry)).toBe(edited);
      expect(tomlConfigEditor.read(tomlConfigEditor.remove(edited, path), path)).toBeUndefined();
    },
    { blocks: 3 },
  );
});

function hiddenIn(text: string): { text: string; hidden: TextRange[] } {
  const hidden = Array.from(text.matchAll(/secret/g), ({ index }) => ({ from: index, to: index + 6 }));
  return { text, hidden };
}

const flagNames = ['base-url', 'files-root', 'oj-language', 'token', 'yes', 'toolsets', 'books-s3-insecure'];

// The approved command lines contain flags of all toolsets.
const hasAllFlags = has('oj', 'books', 'files', 'clerk');
const approved: [inputs: string, list: () => string][] = [
  ['json', () => listGenerated(jsonText, listJsonEdits, { shown: 30 })],
  [
    'toml',
    () => listGenerated(tomlText, source => listEdits(tomlConfigEditor, source, ['mcp_servers', 'oj']), { shown: 30 }),
  ],
  [
    'changes',
    () =>
      listGenerated(twoVersions, ([before, after]) => formatChangedLines(hiddenIn(before), hiddenIn(after)), {
        blocks: 2,
      }),
  ],
  [
    'command-lines',
    () =>
      listGenerated(
        commandLine,
        argv =>
          outcomeOf(() => {
            const line = parseCommandLine(argv, flags);
            return 'given' in line ? { ...line, given: [...line.given] } : line;
          }),
        { blocks: 20 },
      ),
  ],
  [
    'flag-names',
    () =>
      listGenerated(
        commandLine,
        argv => argv.map(word => findSimilarFlagNames(word.replace(/^-+/, ''), flagNames, []).join(' or ') || null),
        {
          shown: 40,
          blocks: 1,
        },
      ),
  ],
  [
    'flag-values',
    () => listGenerated(flagValue, value => [isPlaceholder(value), isVariableReference(value)], { blocks: 0 }),
  ],
];

test.each(approved.filter(([name]) => name !== 'command-lines' || hasAllFlags))(
  'the approved file lists the %s of generated inputs',
  async (name, list) => {
    await expect(list()).toMatchFileSnapshot(`../approved/generated-${name}.txt`);
  },
);
