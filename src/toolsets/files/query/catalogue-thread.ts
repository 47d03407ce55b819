import type { MessagePort } from 'node:worker_threads';
import { createFileTypeTable } from '../../../documents/file-type.ts';
import { stackTraceOf } from '../../../log/bug.ts';
import type { CacheFolder } from '../access/cache-folder.ts';
import { IndexCache } from '../index/cache.ts';
import { type CallTimeControl, startCallTimeControl, type TimedCallControl } from '../workers/control.ts';
import { FileReaderPool } from '../workers/pool.ts';
import { FileCatalogue } from './catalogue.ts';
import type { CatalogueRequest, MessageFromCatalogue, MessageToCatalogue } from './protocol.ts';

const progressEveryMs = 250;

/**
 * Starts the catalogue (the index and its searches) in this worker thread. It receives requests and sends a response to
 * each, unless the request was cancelled.
 */
export function startCatalogueThread(
  port: MessagePort,
  source: string,
  readerCount: number,
  cache: CacheFolder | undefined,
): void {
  const readers = new FileReaderPool(source, readerCount);
  const catalogue = new FileCatalogue(createFileTypeTable(), readers, cache && new IndexCache(cache));
  const open = new Map<number, TimedCallControl>();
  const send = (message: MessageFromCatalogue): void => port.postMessage(message);

  async function reply(request: CatalogueRequest, control: TimedCallControl, id: number): Promise<void> {
    const message = await answer(catalogue, request, control, id).catch((error: unknown) => ({
      id,
      error: stackTraceOf(error),
    }));
    control.settle();
    if (open.delete(id)) send(message);
  }

  port.on('message', (message: MessageToCatalogue) => {
    if ('isCancelled' in message) {
      open.get(message.id)?.cancel();
      open.delete(message.id);
      return;
    }
    const { id, request, timeoutMs } = message;
    const control = startCallTimeControl(timeoutMs, createProgress(id, send));
    open.set(id, control);
    void reply(request, control, id);
  });
}

async function answer(
  catalogue: FileCatalogue,
  request: CatalogueRequest,
  control: CallTimeControl,
  id: number,
): Promise<MessageFromCatalogue> {
  if (request.kind === 'describe') return { id, description: await catalogue.describe(request, control) };
  return { id, found: await catalogue.find(request, control) };
}

function createProgress(id: number, send: (message: MessageFromCatalogue) => void): CallTimeControl['progress'] {
  let [saidAt, said] = [Number.NEGATIVE_INFINITY, 0];
  return (done, total) => {
    const now = performance.now();
    if (now - saidAt < progressEveryMs || done <= said) return;
    [saidAt, said] = [now, done];
    send({ id, progress: { done, total } });
  };
}
