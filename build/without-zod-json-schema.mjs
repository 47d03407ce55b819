// @ts-check
import { rewrite } from './rewrite.mjs';

/** zod can also write JSON Schema, which nobody asks of it here (ours comes from valibot): 27 KB that every start reads. */
export const withoutZodJsonSchema = ['json-schema-processors', 'to-json-schema'].map(file =>
  rewrite(`without-zod-${file}`, `zod/v4/core/${file}.js`, source => {
    const names = Array.from(source.matchAll(/^export (?:const|function) (\w+)/gm), ([, name]) => name);
    const alias = names.includes('processSchema') ? ['export { processSchema as process };'] : [];
    return [...names.map(name => `export function ${name}() {}`), ...alias].join('\n');
  }),
);
