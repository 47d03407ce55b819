import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFolder, openRoom } from './room.ts';

/** A root with a file and a link out of it, and things outside. */
function createRoot(): { root: string; outside: string } {
  const base = createFolder({
    'root/note.txt': 'a note',
    'rootevil/secret.txt': 'a secret',
    'outside/secret.txt': 'a secret',
  });
  const [root, outside] = [path.join(base, 'root'), path.join(base, 'outside')];
  mkdirSync(path.join(root, 'sub'));
  symlinkSync(outside, path.join(root, 'way-out'));
  symlinkSync(path.join(outside, 'secret.txt'), path.join(root, 'secret-link.txt'));
  symlinkSync(path.join(outside, 'missing.txt'), path.join(root, 'dangling.txt'));
  symlinkSync('sub', path.join(root, 'way-in'));
  symlinkSync('loop', path.join(root, 'loop'));
  return { root, outside };
}

const searches = ['search', 'search_by_kind', 'recent_files'] as const;
const rest = { search: { query: 'note' }, search_by_kind: { kind: 'document' }, recent_files: {} };

describe('what is wrong is said by name', () => {
  test.each([
    ['search', {}, 'search: "query" is required'],
    ['search', { query: 5, scope: '/' }, 'search: "query" must be a string, got the number 5'],
    ['search', { query: '', scope: '/' }, 'search: "query" must not be empty, got the string ""'],
    ['search', { query: ' \n', scope: 'ROOT' }, 'search: "query" must have something to look for, got " \\n"'],
    ['search', { query: 'x' }, 'search: "scope" is required'],
    ['search', { query: 'x', scope: null }, 'search: "scope" is required'],
    ['search', { query: 'x', scope: '' }, 'search: "scope" must not be empty, got the string ""'],
    ['search', { query: 'x', scope: ['/'] }, 'search: "scope" must be a string, got a list'],
    [
      'search',
      { query: 'x', scope: 'notes' },
      'search: "scope" must be an absolute path, starting with "/", got "notes"',
    ],
    [
      'search',
      { query: 'x', scope: 'ROOT/note.txt' },
      'search: "scope" must be an existing folder, got "ROOT/note.txt"',
    ],
    ['search', { query: 'x', scope: 'ROOT/none' }, 'search: "scope" must be an existing folder, got "ROOT/none"'],
    ['search', { query: 'x', scope: 'ROOT', limit: '5' }, 'search: "limit" must be a number, got the string "5"'],
    ['search', { query: 'x', scope: 'ROOT', limit: 1.5 }, 'search: "limit" must be a whole number, got the number 1.5'],
    ['search', { query: 'x', scope: 'ROOT', offset: true }, 'search: "offset" must be a number, got the boolean true'],
    [
      'search',
      { query: 'x', scope: 'ROOT', kind: 'pdf' },
      'search: unknown argument "kind", it takes "query", "scope", "limit", "offset"',
    ],
    ['search', { query: 'x', scope: 'ROOT', querry: 'x' }, 'search: unknown argument "querry", did you mean "query"?'],
    ['search_by_kind', { scope: '/' }, 'search_by_kind: "kind" is required'],
    ['search_by_kind', { kind: '', scope: '/' }, 'search_by_kind: "kind" must not be empty, got the string ""'],
    [
      'search_by_kind',
      { kind: 'song', scope: 'ROOT' },
      'search_by_kind: "kind" must be one of document, image, video, audio, pdf, code, got "song"',
    ],
    [
      'search_by_kind',
      { kind: ' pdf', scope: 'ROOT' },
      'search_by_kind: "kind" must be one of document, image, video, audio, pdf, code, got " pdf"',
    ],
    ['recent_files', {}, 'recent_files: "scope" is required'],
    [
      'recent_files',
      { scope: 'ROOT', since: 'monday' },
      'recent_files: "since" must be an ISO 8601 date, got "monday"',
    ],
    ['recent_files', { scope: 'ROOT', since: 5 }, 'recent_files: "since" must be a string, got the number 5'],
    ['get_metadata', {}, 'get_metadata: "path" is required'],
    ['get_metadata', { path: '' }, 'get_metadata: "path" must not be empty, got the string ""'],
    [
      'get_metadata',
      { path: 'note.txt' },
      'get_metadata: "path" must be an absolute path, starting with "/", got "note.txt"',
    ],
    ['get_metadata', { path: 'ROOT/none.txt' }, 'File not found: ROOT/none.txt'],
    ['get_metadata', { path: 'ROOT/note.txt/x' }, 'File not found: ROOT/note.txt/x'],
    ['find_files', {}, 'There is no tool "find_files".'],
  ])('%s %j', async (tool, args, message) => {
    const { root } = createRoot();
    const room = await openRoom({ 'files-root': [root] });
    const placed = JSON.parse(JSON.stringify(args).replaceAll('ROOT', root));
    const outcome = await room.call(tool, placed);
    expect(outcome.isError).toBe(true);
    expect(outcome.text).toBe(message.replaceAll('ROOT', root));
  });
});

describe('the order of the checks', () => {
  test.each([
    ['search', { query: '', scope: '' }, '"query"'],
    ['search', { query: ' ', scope: '/none' }, '"query"'],
    ['search', { scope: 5 }, '"query"'],
    ['search_by_kind', { kind: 'song', scope: 'relative' }, '"scope"'],
    ['search_by_kind', { kind: '', scope: '' }, '"kind"'],
    ['recent_files', { scope: 'relative', since: 'monday' }, '"scope"'],
  ])('%s %j complains of %s first', async (tool, args, first) => {
    const room = await openRoom({ 'files-root': [createRoot().root] });
    const outcome = await room.call(tool, args);
    expect(outcome.isError).toBe(true);
    expect(outcome.text).toContain(first);
  });
});

describe('outside of the roots', () => {
  const wishes = [
    '/',
    '/etc',
    'ROOT/..',
    'ROOT/../outside',
    'ROOTevil',
    'OUTSIDE',
    'OUTSIDE/none',
    'ROOT/way-out',
    'ROOT/way-out/none',
    'ROOT/sub/../../outside',
    '/none',
  ];

  test.each(searches.flatMap(tool => wishes.map(scope => [tool, scope] as const)))(
    '%s refuses %s',
    async (tool, scope) => {
      const { root, outside } = createRoot();
      const room = await openRoom({ 'files-root': [root] });
      const asked = scope.replace('ROOT', root).replace('OUTSIDE', outside);
      const { isError, texts } = await room.call(tool, { ...rest[tool], scope: asked });
      expect({ isError, texts }).toEqual({
        isError: true,
        texts: [
          `${tool}: "scope" must be inside a folder that may be searched, got ${JSON.stringify(asked)}`,
          `Folders that may be searched: ${root}.`,
        ],
      });
    },
  );

  test('get_metadata says the same of what exists and of what does not', async () => {
    const { root, outside } = createRoot();
    const room = await openRoom({ 'files-root': [root] });
    const paths = [
      `${outside}/secret.txt`,
      `${outside}/none`,
      `${root}/secret-link.txt`,
      `${root}/dangling.txt`,
      `${root}/way-out/secret.txt`,
      `${root}/way-out/none`,
      `${root}/loop`,
    ];
    for (const asked of paths) {
      const { isError, text } = await room.call('get_metadata', { path: asked });
      expect({ isError, text }).toEqual({
        isError: true,
        text: `get_metadata: "path" must be inside a folder that may be searched, got ${JSON.stringify(asked)}`,
      });
    }
  });

  test('a link that stays inside is followed when it is the scope, and results are shown below it', async () => {
    const { root } = createRoot();
    writeFileSync(path.join(root, 'sub/inner.txt'), 'an inner note');
    const room = await openRoom({ 'files-root': [root] });
    expect(await room.paths('search', { query: 'inner', scope: `${root}/way-in` })).toEqual(['way-in/inner.txt']);
    const { isError, structured } = await room.call('get_metadata', { path: `${root}/way-in/inner.txt` });
    expect(isError).toBe(false);
    expect(structured?.['kMDItemFSName']).toBe('inner.txt');
  });
});

describe('roots', () => {
  test('without one every call is refused and the flag is named', async () => {
    const room = await openRoom({});
    for (const [tool, args] of [
      ...searches.map(name => [name, { ...rest[name], scope: '/tmp' }] as const),
      ['get_metadata', { path: '/tmp' }] as const,
    ]) {
      const { isError, texts } = await room.call(tool, args);
      expect(isError).toBe(true);
      expect(texts.join(' ')).toContain('--files-root');
    }
  });

  test('a root that is a link is known in both of its forms', async () => {
    const base = createFolder({ 'real/note.txt': 'a note' });
    symlinkSync(path.join(base, 'real'), path.join(base, 'link'));
    const room = await openRoom({ 'files-root': [path.join(base, 'link')] });
    for (const scope of ['link', 'real']) {
      const { text } = await room.call('search', { query: 'note', scope: path.join(base, scope) });
      expect(JSON.parse(text)[0]._path).toBe(path.join(base, scope, 'note.txt'));
    }
  });

  test('one that is missing does not close the others', async () => {
    const root = createFolder({ 'note.txt': 'a note' });
    const room = await openRoom({ 'files-root': [`${root}/none`, root] });
    const { isError } = await room.call('search', { query: 'note', scope: root });
    expect(isError).toBe(false);
    const closed = await openRoom({ 'files-root': [`${root}/none`] });
    expect((await closed.call('search', { query: 'note', scope: root })).text).toBe(
      `None of the folders given with --files-root exists: ${root}/none`,
    );
  });

  test.each([
    [{ 'files-root': ['notes'] }, '--files-root must be an absolute path, got "notes"'],
    [{ 'files-timeout-ms': '0' }, '--files-timeout-ms must be a whole number from 1 to 600000, got "0"'],
    [{ 'files-timeout-ms': '1e3' }, '--files-timeout-ms must be a whole number'],
    [{ 'files-timeout-ms': 'soon' }, '--files-timeout-ms must be a whole number'],
    [{ 'files-engine': 'spotlight' }, '--files-engine must be auto or scan, got "spotlight"'],
  ])('the setting %j is refused', async (values, message) => {
    await expect(openRoom(values)).rejects.toThrow(message);
  });
});

describe('the tools as clients see them', () => {
  test('all of them are marked read-only, closed in their arguments and without bounds on the limit', async () => {
    const room = await openRoom({});
    const { tools } = await room.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'get_metadata', 'search_by_kind', 'recent_files']);
    for (const { annotations, inputSchema, outputSchema, description } of tools) {
      expect(annotations).toMatchObject({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(inputSchema['additionalProperties']).toBe(false);
      expect(outputSchema?.type).toBe('object');
      expect(description?.length).toBeLessThan(1500);
      const text = JSON.stringify(inputSchema);
      expect(text).not.toMatch(/"minimum"|"maximum"|"type":\[/);
      expect(Object.keys(inputSchema.properties ?? {})).not.toContain('rawQuery');
    }
    const [search] = tools;
    expect(search?.inputSchema.required).toEqual(['query', 'scope']);
    expect(JSON.stringify(search?.inputSchema)).toContain('default 100, max 1000');
  });
});
