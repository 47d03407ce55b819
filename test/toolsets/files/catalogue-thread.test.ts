import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { startCatalogueThread } from '../../../src/toolsets/files/query/catalogue-thread.ts';
import { CatalogueClient } from '../../../src/toolsets/files/query/client.ts';
import type {
  CatalogueRequest,
  MessageFromCatalogue,
  MessageToCatalogue,
} from '../../../src/toolsets/files/query/protocol.ts';
import { createFolder } from './open-files.ts';

const page = { offset: 0, limit: 10 };

/** The worker of this test does not return from a file with the name "long" until it is stopped. */
const source = `
const { parentPort, workerData } = require('node:worker_threads');
parentPort.on('message', sent => {
  if (sent.paths.endsWith('long')) while (Atomics.load(workerData.state, 1) === 0);
  parentPort.postMessage({ done: 1, description: {} });
});`;

test('the catalogue thread stops a cancelled request and sends no response to it', async () => {
  const root = createFolder({ long: 'x', short: 'x' });
  const { port1, port2 } = new MessageChannel();
  startCatalogueThread(port2, source, 1, undefined);
  onTestFinished(() => port1.close());
  const answered: number[] = [];
  const isDone = new Promise<void>(resolve => {
    port1.on('message', ({ id }: MessageFromCatalogue) => {
      answered.push(id);
      if (id === 2) resolve();
    });
  });
  const ask = (id: number, name: string): void => {
    const request: CatalogueRequest = { kind: 'describe', path: path.join(root, name), plist: undefined };
    port1.postMessage({ id, request, timeoutMs: 600_000 } satisfies MessageToCatalogue);
  };
  ask(1, 'long');
  ask(2, 'short');
  port1.postMessage({ id: 1, isCancelled: true } satisfies MessageToCatalogue);
  await isDone;
  expect(answered).toEqual([2]);
});

test('a call reports the reason if the catalogue thread has ended, and the next call starts a new thread', async () => {
  const root = createFolder({ 'note.txt': 'needle' });
  const client = new CatalogueClient();
  onTestFinished(() => client.close());
  const call = { signal: new AbortController().signal, agent: undefined, progress: () => {}, report: () => {} };
  const query = { phrase: 'needle' };
  const request = { kind: 'find', scope: root, root: root, query, page, excerpts: false, externalHits: [] } as const;
  const [lost] = await Promise.allSettled([client.find(request, 10_000, call), client.close()]);
  expect(lost).toMatchObject({
    status: 'rejected',
    reason: { message: expect.stringContaining('the search thread ended') },
  });
  const { files } = await client.find(request, 10_000, call);
  expect(files.map(file => path.basename(file.path))).toEqual(['note.txt']);
});
