import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const lines = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .flatMap(name =>
    readFileSync(`src/${name}`, 'utf8')
      .split('\n')
      .map(line => `${name}: ${line.trim()}`),
  );

test('each catch clause in src/ examines its error', () => {
  const bare = /\bcatch \{|\.catch\(\(\) =>/;
  // The pattern allows a promise that another caller awaits, because this caller receives the error.
  const isToldElsewhere = /^(?!.*(?:await|void)\b).*\b(?:result|value)\.catch\(\(\) =>/;
  expect(lines.filter(line => bare.test(line) && !isToldElsewhere.test(line))).toEqual([]);
});
