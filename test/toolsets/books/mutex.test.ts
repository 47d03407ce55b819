import { expect, test } from 'vitest';
import { Mutex } from '../../../src/toolsets/books/library/mutex.ts';

test('Mutex runs tasks one after the other in call order, also after a task has failed', async () => {
  const mutex = new Mutex();
  const done: string[] = [];
  const work = async (name: string): Promise<void> => {
    done.push(`${name} begins`);
    await new Promise(resolve => setImmediate(resolve));
    done.push(`${name} ends`);
    if (name === 'first') throw new Error('refused');
  };
  const first = mutex.run(async () => await work('first'));
  const second = mutex.run(async () => await work('second'));
  await expect(first).rejects.toThrow('refused');
  await second;
  expect(done).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
});
