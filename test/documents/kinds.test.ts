import { describe, expect, test } from 'vitest';
import { createFolder, openFiles, rowsOf } from '../toolsets/files/open-files.ts';

/**
 * Returns packets of an MPEG transport stream and a part of the next packet. A packet has 188 bytes, or 192 in files of
 * cameras.
 */
function packets(count: number, length: number, rest = 0): Buffer {
  const bytes = Buffer.alloc(length * count + rest);
  for (let at = length - 188; at < bytes.length; at += length) bytes[at] = 0x47;
  return bytes;
}

describe('search_by_kind', () => {
  const files: Record<string, Buffer | string> = {
    'note.md': 'x',
    'letter.docx': 'x',
    'data.json': 'x',
    'page.html': 'x',
    'style.css': 'x',
    'paper.pdf': 'x',
    'UPPER.PDF': 'x',
    'photo.JPG': 'x',
    'drawing.svg': 'x',
    'movie.mp4': 'x',
    'stream.ts': packets(4, 188),
    'cut-off.ts': packets(19, 188, 50),
    'long.ts': packets(100, 188),
    'camera.mts': packets(30, 192),
    'camera.m2ts': packets(3, 192),
    'stream.mts': packets(30, 188, 7),
    'unclear.mts': Buffer.from([0, 1, 2]),
    'types.d.mts': 'let x: 1;',
    'module.mts': 'let x = 1;',
    'almost.ts': `G${'x'.repeat(187)}Gx${'x'.repeat(186)}x`,
    'song.mp3': 'x',
    'voice.opus': 'x',
    'main.ts': 'let x = 1;',
    'padded.ts': 'x'.repeat(188),
    'lib.rs': 'x',
    'app.tsx': 'x',
    'query.sql': 'x',
    'archive.zip': 'x',
    'letter.gpg': 'x',
    'unknown.xyz': 'x',
    README: 'words',
    script: '#!/bin/sh\n',
    scan: '%PDF-1.4',
    blob: Buffer.from([0, 1, 2]),
  };

  test.each([
    [
      'document',
      ['README', 'UPPER.PDF', 'data.json', 'letter.docx', 'note.md', 'page.html', 'paper.pdf', 'scan', 'style.css'],
    ],
    ['pdf', ['UPPER.PDF', 'paper.pdf', 'scan']],
    ['PDF', ['UPPER.PDF', 'paper.pdf', 'scan']],
    ['Image', ['drawing.svg', 'photo.JPG']],
    [
      'video',
      ['camera.m2ts', 'camera.mts', 'cut-off.ts', 'long.ts', 'movie.mp4', 'stream.mts', 'stream.ts', 'unclear.mts'],
    ],
    ['audio', ['song.mp3', 'voice.opus']],
    [
      'code',
      ['almost.ts', 'app.tsx', 'lib.rs', 'main.ts', 'module.mts', 'padded.ts', 'query.sql', 'script', 'types.d.mts'],
    ],
  ])('returns the files of the kind "%s"', async (kind, expected) => {
    const root = createFolder(files);
    const opened = await openFiles({ 'files-root': [root] });
    expect((await opened.paths('search_by_kind', { kind })).sort()).toEqual(expected);
  });

  test.each(['a188.ts', 'a192.ts', 'a192.mts', 'empty.ts'])(
    'returns the text file %s as code although it has the byte G where a video packet starts',
    async name => {
      const length = Number(/\d+/.exec(name)?.[0] ?? 0);
      const text = (length === 188 ? 'Graph.x = "' : 'let G = "').padEnd(length, 'x').slice(0, length);
      const opened = await openFiles({ 'files-root': [createFolder({ [name]: text })] });
      expect(await opened.paths('search_by_kind', { kind: 'code' })).toEqual([name]);
    },
  );

  test.each([
    ['note.md', 'net.daringfireball.markdown'],
    ['letter.docx', 'org.openxmlformats.wordprocessingml.document'],
    ['photo.JPG', 'public.jpeg'],
    ['stream.ts', 'public.mpeg-2-transport-stream'],
    ['main.ts', 'com.microsoft.typescript'],
    ['camera.mts', 'public.mpeg-2-transport-stream'],
    ['module.mts', 'com.microsoft.typescript'],
    ['song.mp3', 'public.mp3'],
    ['movie.mp4', 'public.mpeg-4'],
    ['unknown.xyz', 'public.data'],
    ['README', 'public.plain-text'],
    ['scan', 'com.adobe.pdf'],
    ['blob', 'public.data'],
  ])('get_metadata returns for %s the type %s', async (name, type) => {
    const root = createFolder({ [name]: files[name] ?? '' });
    const opened = await openFiles({ 'files-root': [root] });
    expect(rowsOf(await opened.call('recent_files', { scope: root }))[0]?.['kMDItemContentType']).toBe(type);
  });
});

test('the tool search finds a text file that has the extension of a video, but does not read a video', async () => {
  const root = createFolder({
    'module.mts': 'the needle',
    'camera.mts': Buffer.concat([packets(1, 192), Buffer.from('the needle')]),
  });
  const opened = await openFiles({ 'files-root': [root] });
  for (let turn = 0; turn < 2; turn++)
    expect(await opened.paths('search', { query: 'needle' })).toEqual(['module.mts']);
});
