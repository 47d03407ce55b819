import { fstatSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isOwnedByCurrentUser } from '../../../src/toolsets/files/access/cache-folder.ts';

test.skipIf(process.getuid === undefined)(
  'a file is private if this user owns it and no other user can write it',
  () => {
    const stats = fstatSync(0);
    const isPrivate = (uid: number, mode: number): boolean => isOwnedByCurrentUser(Object.assign(stats, { uid, mode }));
    const own = process.getuid?.() ?? 0;
    expect([0o600, 0o644, 0o755].map(mode => isPrivate(own, mode))).toEqual([true, true, true]);
    expect([0o620, 0o602, 0o666].map(mode => isPrivate(own, mode))).toEqual([false, false, false]);
    expect(isPrivate(own + 1, 0o600)).toBe(false);
  },
);
