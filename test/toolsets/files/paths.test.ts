import { describe, expect, test } from 'vitest';
import { isInsideFolder, parseAbsolutePath, replaceParentFolder } from '../../../src/toolsets/files/access/paths.ts';

describe('parseAbsolutePath on Linux and macOS', () => {
  test.each([
    ['/a/b', '/a/b'],
    ['/a/../b/./c//d/', '/b/c/d'],
    ['/..', '/'],
    ['/a\\b', '/a\\b'],
  ])('normalises %s to %s', (text, expected) => {
    expect(parseAbsolutePath(text, 'path', 'posix')).toBe(expected);
  });

  test.each([
    ['a/b', 'must be an absolute path, starting with "/"'],
    ['./a', 'must be an absolute path'],
    ['~/a', 'must be an absolute path'],
    ['C:\\a', 'must be an absolute path'],
    [' /a', 'must be an absolute path'],
    ['/a\0b', 'must not contain a NUL character'],
  ])('rejects %j', (text, problem) => {
    expect(() => parseAbsolutePath(text, 'search: "scope"', 'posix')).toThrow(`search: "scope" ${problem}`);
  });
});

describe('parseAbsolutePath on Windows', () => {
  test.each([
    ['C:\\Users\\me', 'C:\\Users\\me'],
    ['c:/Users/me/../you', 'c:\\Users\\you'],
    ['\\\\server\\share\\folder', '\\\\server\\share\\folder'],
    ['C:\\console.txt', 'C:\\console.txt'],
    ['C:\\a\\..\\b', 'C:\\b'],
  ])('normalises %s to %s', (text, expected) => {
    expect(parseAbsolutePath(text, 'path', 'windows')).toBe(expected);
  });

  test.each([
    ['\\Users', 'must be an absolute path'],
    ['/Users', 'must be an absolute path'],
    ['C:Users', 'must be an absolute path'],
    ['\\\\?\\C:\\Users', 'must not be a device name'],
    ['\\\\.\\PhysicalDrive0', 'must not be a device name'],
    ['//?/C:/Users', 'must not be a device name'],
    ['//./pipe/name', 'must not be a device name'],
    ['C:\\NUL', 'must not be a device name'],
    ['C:\\a\\con.txt', 'must not be a device name'],
    ['C:\\a\\LPT1', 'must not be a device name'],
    ['C:\\a\\com¹.log', 'must not be a device name'],
    ['C:\\a\\aux .txt', 'must not be a device name'],
    ['C:\\a\\CONIN$', 'must not be a device name'],
    ['C:\\a\\notes.txt:secret', 'must not contain a colon'],
    ['C:\\a::$DATA', 'must not contain a colon'],
    ['C:\\a.\\b', 'must not contain names that end with a dot'],
    ['C:\\a\\.. \\b', 'must not contain names that end with a dot'],
    ['C:\\a\0', 'must not contain a NUL'],
  ])('rejects %j', (text, problem) => {
    expect(() => parseAbsolutePath(text, 'path', 'windows')).toThrow(problem);
  });
});

describe('isInsideFolder', () => {
  test.each([
    ['/tmp/a', '/tmp', 'posix', true],
    ['/tmp', '/tmp', 'posix', true],
    ['/tmpevil', '/tmp', 'posix', false],
    ['/tmpevil/a', '/tmp', 'posix', false],
    ['/', '/tmp', 'posix', false],
    ['/anything', '/', 'posix', true],
    ['/TMP/a', '/tmp', 'posix', false],
    ['C:\\Users\\Me', 'c:\\users', 'windows', true],
    ['C:\\UsersEvil', 'C:\\Users', 'windows', false],
    ['D:\\Users', 'C:\\Users', 'windows', false],
    ['C:\\x', 'C:\\', 'windows', true],
    ['C:\\DÄTEN\\x', 'C:\\däten', 'windows', true],
    ['C:\\ЖУК\\x', 'C:\\жук', 'windows', true],
    ['C:\\\u212a\\x', 'C:\\k', 'windows', false],
    ['C:\\\u2126\\x', 'C:\\ω', 'windows', false],
    ['C:\\\u212b\\x', 'C:\\å', 'windows', false],
    ['C:\\ẞ\\x', 'C:\\ß', 'windows', false],
    ['C:\\ss\\x', 'C:\\ß', 'windows', false],
    ['C:\\ı\\x', 'C:\\i', 'windows', false],
  ] as const)('returns for %s in %s (%s): %s', (inner, folder, style, expected) => {
    expect(isInsideFolder(inner, folder, style)).toBe(expected);
  });
});

test('replaceParentFolder replaces the resolved path of a scope by the path that the client wrote', () => {
  expect(replaceParentFolder('/private/tmp/a/b', '/private/tmp', '/tmp', 'posix')).toBe('/tmp/a/b');
  expect(replaceParentFolder('/tmp/a/b', '/tmp', '/tmp', 'posix')).toBe('/tmp/a/b');
  expect(replaceParentFolder('/a\\b/c', '/a\\b', '/d', 'posix')).toBe('/d/c');
  expect(replaceParentFolder('C:\\Users\\runner\\a', 'C:\\Users\\runner', 'C:\\Users\\RUNNER~1', 'windows')).toBe(
    'C:\\Users\\RUNNER~1\\a',
  );
});
