import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { assemble, stream } from '../../documents/pdf.ts';
import { type Message, names, openFolder, start, structured } from './built.ts';
import { write } from './open-files.ts';

/** Creates a document that keeps a worker busy. With 10,000 pages it exceeds the step limit or the time limit. */
function slowPdf(pageCount = 10_000): Buffer {
  const pages = Array.from({ length: pageCount }, () => '<< /Type /Page /Contents 3 0 R >>');
  const kids = pages.map((_, index) => `${index + 4} 0 R`).join(' ');
  return assemble([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] >>`,
    stream('', Buffer.from('1 '.repeat(9000))),
    ...pages,
  ]);
}

describe('the server, while a search is running,', () => {
  test('responds to pings and other searches, and sends no response to a search that was cancelled', async () => {
    const root = openFolder({ 'slow.pdf': slowPdf(2000), 'quick/note.txt': 'needle' });
    const server = await start(['--files-root', root]);
    server.send(1, 'tools/call', { name: 'search', arguments: { query: 'needle', scope: root } });
    server.send(2, 'ping');
    await server.until(({ id }) => id === 2);
    expect(names(await server.ask('search', { query: 'needle', scope: `${root}/quick` }))).toEqual(['note.txt']);
    expect(server.seen.some(({ id }) => id === 1)).toBe(false);
    server.notify('notifications/cancelled', { requestId: 1 });
    expect(names(await server.ask('search', { query: 'needle', scope: root }))).toEqual(['note.txt']);
    await server.end();
    expect(server.seen.some(({ id }) => id === 1)).toBe(false);
  });

  test('returns partial results with a note at the time limit, and complete results after repeated calls', async () => {
    const root = openFolder({ 'slow.pdf': slowPdf(), 'note.txt': 'needle' });
    const server = await start(['--files-root', root, '--files-timeout-ms', '2000']);
    const turns: Message[] = [];
    do turns.push(await server.ask('search', { query: 'needle', scope: root }));
    while (structured(turns.at(-1) ?? {})['timedOut'] === true && turns.length < 150);
    const [last, ...partial] = turns.toReversed();
    // At least one of the partial results must contain the file. On a busy machine the first one may be empty.
    expect(partial.map(names)).toContainEqual(['note.txt']);
    expect(names(last ?? {})).toEqual(['note.txt']);
    expect(structured(last ?? {})).toMatchObject({ skipped: { unparsed: 1 } });
  });

  test('stops a walk of the folder tree at the time limit', async () => {
    const root = openFolder({});
    for (let folder = 0; folder < 300; folder++) {
      mkdirSync(path.join(root, `${folder}`));
      for (let file = 0; file < 14; file++) write(root, `${folder}/${file}.txt`, 'needle');
    }
    const server = await start(['--files-root', root, '--files-timeout-ms', '1']);
    for (const [tool, args] of [
      ['search', { query: 'needle' }],
      ['recent_files', {}],
      ['search_by_kind', { kind: 'document' }],
    ] as const) {
      const answer = structured(await server.ask(tool, { scope: root, ...args }));
      expect(answer).toMatchObject({ timedOut: true });
    }
    const unlimited = await start(['--files-root', root]);
    expect(names(await unlimited.ask('search', { query: 'needle', scope: root, limit: 1000 }))).toHaveLength(1000);
  });

  test('sends progress notifications on request, with increasing values', async () => {
    const root = openFolder({ 'slow.pdf': slowPdf(4000), 'note.txt': 'needle', 'other.md': 'needle' });
    const server = await start(['--files-root', root]);
    await server.ask('search', { query: 'needle', scope: root }, { progressToken: 'p' });
    const sent = server.seen.flatMap(({ method, params }) =>
      method === 'notifications/progress' ? [JSON.stringify(params)] : [],
    );
    const values = sent.map((text): { progressToken: string; progress: number; total: number } => JSON.parse(text));
    expect(values.length).toBeGreaterThan(0);
    expect(values.every(({ progressToken, progress, total }) => progressToken === 'p' && progress <= total)).toBe(true);
    expect(values.map(({ progress }) => progress)).toEqual(
      [...new Set(values.map(({ progress }) => progress))].toSorted((left, right) => left - right),
    );
    server.seen.length = 0;
    await server.ask('search', { query: 'needle', scope: `${root}/.` });
    expect(server.seen.some(({ method }) => method === 'notifications/progress')).toBe(false);
  });
});
