import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'vitest';
import { errorOf } from './answer.ts';
import type { Connection } from './client.ts';
import { connectWithDisk, type Plan } from './disk.ts';
import { sha256, type TemporaryLibrary } from './library.ts';

export const busyBook = 'busy-book';
export const lessonOf = (round: number): string => `content/01-Part/01-Chapter/01-round-${round}.md`;

export interface Contest {
  rounds: number;
  violations: string[];
}

/** Lets four servers write the same lesson at the same time: first all create it, then all update the same version. */
export async function contest(
  library: TemporaryLibrary,
  rounds: number,
  { plan = {}, user = {} }: { plan?: Plan; user?: { user_id?: string } } = {},
): Promise<Contest> {
  const folder = user.user_id === undefined ? `books/${busyBook}` : `books/${busyBook}/users/${user.user_id}`;
  const servers = await Promise.all(
    ['one', 'two', 'three', 'four'].map(async name => await connectWithDisk(library.root, plan, name)),
  );
  const violations: string[] = [];
  const versions: string[] = [];
  let round = 0;
  try {
    for (; round < rounds && violations.length === 0; round++) {
      const lesson = lessonOf(round);
      let base: string | undefined;
      for (const step of ['create', 'update']) {
        const say = (what: string): unknown => violations.push(`${step} ${round}: ${what}`);
        const args = { book_id: busyBook, path: lesson, ...user, ...(base !== undefined && { expected_hash: base }) };
        const contents = servers.map((_, index) => `# ${step} ${round} by ${index}\n`);
        const write = async (server: Connection, index: number): Promise<CallToolResult> =>
          await unlessBusy(async () => await server.call('write_content', { ...args, content: contents[index] }));
        const results = await Promise.all(servers.map(write));
        const winners = results.flatMap((result, index) => (result.isError === true ? [] : [contents[index] ?? '']));
        const stored = library.read(`${folder}/${lesson}`)?.toString('utf8');
        if (winners.length !== 1) say(`${winners.length} have written`);
        if (stored !== winners[0]) say("the bytes are not the winner's");
        base = sha256(stored ?? '');
        versions.push(base);
        for (const result of results.filter(({ isError }) => isError === true)) {
          const { code, current_hash } = errorOf(result);
          if (code !== (step === 'create' ? 'HASH_REQUIRED' : 'CONFLICT')) say(String(code));
          if (current_hash !== base) say('a loser is told another hash');
        }
      }
    }
    // The test waits for the commit records, because they may be written after the response.
    if (violations.length === 0) await expect.poll(() => committed(library)).toEqual(versions);
  } finally {
    await Promise.all(servers.map(async connection => await connection.close()));
  }
  violations.push(...library.audit(busyBook));
  return { rounds: round, violations };
}

/**
 * Repeats a call while it returns BUSY, because other writers on a slow machine can delay a call for longer than it
 * waits.
 */
async function unlessBusy(call: () => Promise<CallToolResult>): Promise<CallToolResult> {
  for (;;) {
    const result = await call();
    if (result.isError !== true || errorOf(result).code !== 'BUSY') return result;
  }
}

function committed(library: TemporaryLibrary): (string | null)[] {
  const records = library.journal(busyBook).filter(({ kind }) => kind === 'commit');
  return records.map(record => record.new);
}
