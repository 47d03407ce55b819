import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bucketVariables } from '../../../../src/toolsets/books/model/bucket-variables.ts';

test('bucketVariables contains every AWS variable that the sources of the toolset read', () => {
  const folder = 'src/toolsets/books';
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'));
  const read = sources.flatMap(name =>
    Array.from(readFileSync(`${folder}/${name}`, 'utf8').matchAll(/'(AWS_\w+)'/g), ([, variable = '']) => variable),
  );
  expect([...new Set(read)].sort()).toEqual(bucketVariables.map(({ name }) => name).sort());
});
