import { describe, expect, test } from 'vitest';
import { ConnectionSlots } from '../../src/http/connection-slots.ts';
import { Deadline } from '../../src/http/deadline.ts';
import { GrowingBuffer } from '../../src/http/growing-buffer.ts';

describe('GrowingBuffer', () => {
  test('returns a single chunk without a copy', () => {
    const buffer = new GrowingBuffer();
    const chunk = Buffer.from('abc').subarray(1);
    buffer.append(chunk);
    const content = buffer.toBuffer();
    chunk[0] = 0x78;
    expect([content.toString(), buffer.length]).toEqual(['xc', 2]);
  });

  test('joins many chunks of any length, and never reads the rest of a larger chunk', () => {
    const buffer = new GrowingBuffer();
    const lengths = [1, 2, 16_381, 16_384, 1, 5, 40_000, 0, 3];
    const chunks = lengths.map((length, index) => Buffer.alloc(length + 2, 97 + index).subarray(1, length + 1));
    for (const chunk of chunks) buffer.append(chunk);
    expect(buffer.toBuffer().equals(Buffer.concat(chunks))).toBe(true);
    expect(buffer.length).toBe(72_777);
  });

  test.each([
    [100, 75, false],
    [100, 74, true],
    [100, 100, false],
  ])('of %i bytes copies %i bytes of content, because most of the rest is unused: %s', (capacity, length, isCopied) => {
    const buffer = new GrowingBuffer(capacity);
    buffer.append(Buffer.alloc(length, 'a'));
    const [one, other] = [buffer.toBuffer(), buffer.toBuffer()];
    expect(one.equals(Buffer.alloc(length, 'a'))).toBe(true);
    expect(one.buffer !== other.buffer || one.byteOffset !== other.byteOffset).toBe(isCopied);
  });
});

describe('ConnectionSlots', () => {
  test('passes a released slot to the waiting requests in their order', async () => {
    const slots = new ConnectionSlots(1);
    expect(slots.isIdle).toBe(true);
    const release = await slots.acquire(new Deadline({}));
    const order: string[] = [];
    const take = async (name: string): Promise<void> => {
      const done = await slots.acquire(new Deadline({}));
      order.push(name);
      done();
    };
    const waiting = [take('first'), take('second')];
    expect([slots.isIdle, order]).toEqual([false, []]);
    release();
    release();
    await Promise.all(waiting);
    expect([slots.isIdle, order]).toEqual([true, ['first', 'second']]);
  });

  test('rejects a waiting request that the caller cancels, and gives its place to the next one', async () => {
    const slots = new ConnectionSlots(2);
    const [one, other] = [await slots.acquire(new Deadline({})), await slots.acquire(new Deadline({}))];
    const controller = new AbortController();
    const cancelled = slots.acquire(new Deadline({ signal: controller.signal }));
    const next = slots.acquire(new Deadline({}));
    controller.abort(new Error('given up'));
    await expect(cancelled).rejects.toThrow('given up');
    one();
    (await next)();
    expect(slots.isIdle).toBe(false);
    other();
    expect(slots.isIdle).toBe(true);
  });
});
