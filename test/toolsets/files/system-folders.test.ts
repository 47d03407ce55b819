import { describe, expect, test } from 'vitest';
import { parseMountInfo } from '../../../src/toolsets/files/access/system-folders.ts';

const mounts = `22 27 0:21 / /proc rw - proc proc rw
23 27 0:22 / /sys rw - sysfs sysfs rw
31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw
24 27 0:6 / /dev rw - devtmpfs devtmpfs rw
25 24 0:23 / /dev/shm rw - tmpfs tmpfs rw
27 1 254:0 / / rw - ext4 /dev/vda rw
40 27 0:21 / /srv/a\\040jail/proc rw - proc proc rw
`;
const folders = parseMountInfo(mounts);

describe('a walk that starts above system folders', () => {
  test.each([
    ['/proc', true],
    ['/run', true],
    ['/srv/a jail/proc', true],
    ['/srv/a jail', false],
    ['/home', false],
    ['/process', false],
  ])('skips the folder %j: %s', (folder, expected) => {
    expect(folders.has(folder)).toBe(expected);
  });
});

describe('a scope', () => {
  test.each([
    ['/proc/self', true],
    ['/sys/kernel', true],
    ['/sys/fs/cgroup/tmp', false],
    ['/dev/shm/work', false],
    ['/run/media/stick', false],
    ['/home/me', false],
    ['/', false],
  ])('%j is part of a pseudo file system: %s', (folder, expected) => {
    expect(folders.contains(folder)).toBe(expected);
  });
});

test('pseudo file systems are recognised by their paths if the mount table cannot be read', () => {
  const unknown = parseMountInfo('');
  expect(['/proc', '/home'].map(folder => unknown.has(folder))).toEqual([true, false]);
});
