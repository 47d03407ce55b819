import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { splitLines } from '../../../src/toolsets/books/model/lines.ts';
import { startLineFinder } from '../../../src/toolsets/books/search/line-finder.ts';
import * as fc from '../../support/property.ts';

test('splitLines splits a text at the same line ends as text editors do', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\u2028', '\f') });
  fc.assert(
    fc.property(text, written => {
      expect([...splitLines(written)]).toEqual(written.split(/\r\n|\n|\r/));
    }),
    { numRuns: 2000 },
  );
});

test('a search thread that ends with an error rejects its search with the error', async () => {
  // A caller cannot send this invalid pattern. It makes the thread fail in the same way as lack of memory, which would
  // take too long to reproduce.
  const pattern: string = JSON.parse('null');
  await expect(startLineFinder(pattern, new AbortController().signal)).rejects.toThrow('needs too much memory');
});

test('a search whose thread does not start within the time limit is unavailable, not a search with an invalid pattern', async () => {
  class SilentWorker extends EventEmitter {
    unref(): void {}

    async terminate(): Promise<number> {
      return await Promise.resolve(0);
    }
  }
  vi.doMock('node:worker_threads', () => ({ Worker: SilentWorker }));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.doUnmock('node:worker_threads');
    vi.useRealTimers();
  });
  const finder = startLineFinder('a', new AbortController().signal);
  while (vi.getTimerCount() === 0) await new Promise(resolve => void setImmediate(resolve));
  vi.advanceTimersByTime(10_000);
  await expect(finder).rejects.toThrow('did not start in time');
});
