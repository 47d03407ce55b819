import { describe, expect, test } from 'vitest';
import { createFolder, createRoot, openFiles } from './open-files.ts';

describe('a call with an invalid argument', () => {
  test.each([
    ['search', {}, 'search: "query" is required'],
    ['search', { query: 5, scope: '/' }, 'search: "query" must be a string, got the number 5'],
    ['search', { query: '', scope: '/' }, 'search: "query" must not be empty, got the string ""'],
    [
      'search',
      { query: ' \n', scope: 'ROOT' },
      'search: "query" must contain a letter, digit or sign, got the string " \\n"',
    ],
    [
      'search',
      { query: '\u0301', scope: 'ROOT' },
      'search: "query" must contain a letter, digit or sign, got the string "\u0301"',
    ],
    [
      'search',
      { query: '\ud83d', scope: 'ROOT' },
      'search: "query" must not contain a lone surrogate, got the string "\\ud83d"',
    ],
    [
      'search',
      { query: 'x'.repeat(10_001), scope: 'ROOT' },
      `search: "query" may have 10000 characters at most, got the string "${'x'.repeat(60)}…"`,
    ],
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
    ['search', { query: 'x', scope: 'ROOT', limit: 'five' }, 'search: "limit" must be a whole number'],
    ['search', { query: 'x', scope: 'ROOT', limit: 1.5 }, 'search: "limit" must be a whole number'],
    ['search', { query: 'x', scope: 'ROOT', offset: true }, 'search: "offset" must be a whole number'],
    [
      'search',
      { query: 'x', scope: 'ROOT', type: 'pdf' },
      'search: unknown argument "type", it takes "query", "scope", "match", "kind", "since", "until", "excerpts", "limit", "offset"',
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
    ['recent_files', { scope: 'ROOT', since: 5 }, 'recent_files: "since" must be an ISO 8601 date, got "5"'],
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
  ])('is rejected with an error that names the argument: %s %j', async (tool, args, message) => {
    const { root } = createRoot();
    const opened = await openFiles({ 'files-root': [root] });
    const placed = JSON.parse(JSON.stringify(args).replaceAll('ROOT', root));
    const outcome = await opened.call(tool, placed);
    expect(outcome.isError).toBe(true);
    expect(outcome.text.split('\n\n', 1)).toEqual([message.replaceAll('ROOT', root)]); // without the hint
  });
});

describe('an error of the files toolset', () => {
  test.each([
    ['search', { query: 'x' }],
    ['search', { query: 'x', scope: '' }],
    ['search', { query: 'x', scope: '~/Documents' }],
    ['search', { query: 'x', scope: 'ROOT/none' }],
    ['search', { query: 'x', scope: 'ROOT/note.txt' }],
    ['search', { query: 'x', scope: '/none' }],
    ['search_by_kind', { kind: 'pdf' }],
    ['recent_files', {}],
    ['get_metadata', { path: 'note.txt' }],
  ])('lists the roots after an invalid folder: %s %j', async (tool, args) => {
    const { root } = createRoot();
    const opened = await openFiles({ 'files-root': [root] });
    const { isError, text } = await opened.call(tool, JSON.parse(JSON.stringify(args).replace('ROOT', root)));
    expect([isError, text.split('\n\n')[1]]).toEqual([true, `Folders that can be searched: ${root}.`]);
  });

  test('suggests the tools that list files without a query if the argument "query" is missing', async () => {
    const { root } = createRoot();
    const opened = await openFiles({ 'files-root': [root] });
    for (const args of [{ scope: root }, { scope: root, query: '' }])
      expect((await opened.call('search', args)).text).toMatch(
        /search_by_kind, recent_files, or query "\*" with match "name"/,
      );
    const listed = await opened.paths('search', { query: '*', match: 'name', kind: 'document' });
    expect(listed).toEqual(await opened.paths('search_by_kind', { kind: 'document' }));
    expect(listed).not.toEqual([]);
  });

  test('lists all kinds of files if the argument "kind" is missing', async () => {
    const { call } = await openFiles({ 'files-root': [createFolder()] });
    expect((await call('search_by_kind', { scope: '/' })).text).toContain('document, image, video, audio, pdf, code');
  });
});

test.each([
  ['search', { query: 'x', scope: `/${'y'.repeat(200_000)}` }, `must be inside a folder that can be searched, got "/`],
  ['search', { query: 'x', scope: 'y'.repeat(201) }, 'must be an absolute path, starting with "/", got "'],
  ['search', { query: 'x', scope: `ROOT/${'y'.repeat(300)}` }, 'must be an existing folder, got "ROOT/'],
  ['get_metadata', { path: `ROOT/${'y'.repeat(300)}` }, 'File not found: ROOT/'],
  ['search_by_kind', { kind: 'y'.repeat(201), scope: 'ROOT' }, 'audio, pdf, code, got "'],
  ['recent_files', { scope: 'ROOT', since: 'y'.repeat(201) }, 'must be an ISO 8601 date, got "'],
])(
  'the error of the tool %s contains at most the first two hundred characters of a rejected value',
  async (tool, args, start) => {
    const { root } = createRoot();
    const opened = await openFiles({ 'files-root': [root] });
    const { text } = await opened.call(tool, JSON.parse(JSON.stringify(args).replace('ROOT', root)));
    const [, shown = ''] = (text.split('\n\n', 1)[0] ?? '').split(/(?:got "|not found: )(?=.*y)/);
    expect(text).toContain(start.replace('ROOT', root));
    expect(shown.replace(/"$/, '')).toMatch(/^[^…]{200}…$/);
  },
);

describe('a call with several invalid arguments', () => {
  test.each([
    ['search', { query: '', scope: '' }, '"query"'],
    ['search', { query: ' ', scope: '/none' }, '"query"'],
    ['search', { query: ' ', scope: 5 }, '"query"'],
    ['search', { query: ' ' }, '"query"'],
    ['search', { scope: 5 }, '"query"'],
    ['search', { query: 'x', scope: 5, limit: 'x' }, '"scope"'],
    ['search', { query: 'x', scope: 'relative', limit: 'x' }, '"scope"'],
    ['search', { query: 'x', scope: '/', limit: 'x' }, '"scope"'],
    ['search', { query: 'x', scope: 'ROOT/none', limit: 1.5, offset: 'x' }, '"scope"'],
    ['search', { query: 'x', scope: 'ROOT', limit: 1.5, offset: 'x' }, '"limit"'],
    ['search_by_kind', { kind: '', scope: 'ROOT', limit: 'x' }, '"kind"'],
    ['search_by_kind', { kind: 'song', scope: 'ROOT/none', limit: 'x' }, '"scope"'],
    ['search_by_kind', { kind: 'song', scope: 'ROOT', limit: 'x' }, '"limit"'],
    ['recent_files', { scope: 'ROOT/none', limit: 'x', since: 5 }, '"scope"'],
    ['recent_files', { scope: 'ROOT', limit: 'x', since: 5 }, '"limit"'],
    ['search_by_kind', { kind: 'song', scope: 'relative' }, '"scope"'],
    ['search_by_kind', { kind: '', scope: '' }, '"kind"'],
    ['recent_files', { scope: 'relative', since: 'monday' }, '"scope"'],
  ])('reports the first one in a fixed order: %s %j reports %s', async (tool, args, first) => {
    const { root } = createRoot();
    const opened = await openFiles({ 'files-root': [root] });
    const outcome = await opened.call(tool, JSON.parse(JSON.stringify(args).replace('ROOT', root)));
    expect(outcome.isError).toBe(true);
    expect(outcome.text).toContain(`${tool}: ${first}`);
  });
});

describe('the tools of the files toolset', () => {
  test('are marked read-only, reject unknown arguments and publish no bounds for the argument "limit"', async () => {
    const opened = await openFiles({ 'files-root': [createFolder()] });
    const { tools } = await opened.client.listTools();
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
