import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseUrl } from '../../src/text/url.ts';

describe('parseUrl', () => {
  test.each([
    ['https://judge.example/p?q#f', undefined, 'https://judge.example/p?q#f'],
    ['/p/2', 'https://judge.example/p/1', 'https://judge.example/p/2'],
    ['/p/2', undefined, undefined],
    ['https://judge.example:99999/', undefined, undefined],
    ['', undefined, undefined],
  ])('reads %j with the base %j as %j', (text, base, expected) => {
    expect(parseUrl(text, base)?.href).toBe(expected);
  });

  test('reads a URL with the letter é in each of 50,000 calls', () => {
    // In Node 20 and 22, URL.canParse rejects this URL after 2,000 to 30,000 calls.
    const parsed = Array.from({ length: 50_000 }, () => parseUrl('https://é.example/')?.hostname);
    expect(new Set(parsed)).toEqual(new Set(['xn--9ca.example']));
  });

  test('is used in src/ in place of URL.canParse', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'));
    expect(files.filter(name => /\bcanParse\(/.test(readFileSync(`src/${name}`, 'utf8')))).toEqual([]);
  });
});
