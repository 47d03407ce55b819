// @ts-check
import { rewrite } from './rewrite.mjs';

/**
 * The entry of ofetch creates an instance with the platform's `fetch`. Its `Headers` alone loads a second HTTP client.
 */
export const ofetchWithoutPlatform = rewrite('ofetch-without-platform', 'ofetch/dist/index.mjs', source => {
  const [, name, file] = /^import \{ (\w+) as createFetch \} from ('\.\/shared\/[^']+');$/m.exec(source) ?? [];
  if (name === undefined) throw new Error('ofetch-without-platform: createFetch comes from elsewhere');
  return `export { ${name} as createFetch } from ${file};`;
});
