import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { reasonOf, reasons } from '../../src/errors/reason.ts';
import { createNetworkFailure } from '../../src/http/network-error.ts';
import { describeWriteError } from '../../src/toolset/create-folders.ts';

const codes = Object.keys(reasons);

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: words of Node`), { code, syscall: 'open' });
}

describe('the reason of an error code', () => {
  test.each(codes)('is a phrase that ends with the code: %s', code => {
    expect(reasonOf(code)).toMatch(/^[a-z].*[a-z] \([A-Z_]+\)$/);
    expect(reasonOf(code)).toContain(`(${code})`);
  });

  test.each(codes)('is part of the messages about connections and folders that cannot be created: %s', code => {
    const messages = [
      describeWriteError(systemError(code)),
      createNetworkFailure('http://127.0.0.1:1', systemError(code), '').message,
    ];
    for (const message of messages) expect(message).toMatch(new RegExp(`[a-z] \\(${code}\\)\\.?$`));
  });

  test('is the code or the fallback if the code is unknown', () => {
    expect([reasonOf('EWHAT'), reasonOf('EWHAT', 'words')]).toEqual(['EWHAT', 'words']);
  });
});

test('only reason.ts contains reasons that end with an error code in parentheses', () => {
  const root = path.join(import.meta.dirname, '../../src');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'));
  const others = files.filter(name =>
    /['"`][^'"`\n]+ \(E[A-Z]{3,}\)/.test(readFileSync(path.join(root, name), 'utf8')),
  );
  expect(others).toEqual([]);
});
