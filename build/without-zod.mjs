// @ts-check
import { createHash } from 'node:crypto';
import { rewrite } from './rewrite.mjs';

/** The type guards below were written for the `types.js` of the SDK with this hash. */
const knownHash = '962836b0f8dad85bcd398ad3ddb5ba81a7c7530c706955aa846dd8dfc02dd6a9';

/** These are the type guards of the SDK for messages. stdio.ts passes only messages that protocol.ts has validated. */
const guards = {
  isJSONRPCRequest: `'id' in value && 'method' in value`,
  isJSONRPCNotification: `!('id' in value) && 'method' in value`,
  isJSONRPCResultResponse: `'result' in value`,
  isJSONRPCErrorResponse: `'error' in value`,
  isTaskAugmentedRequestParams: `value?.task !== undefined`,
};

const typesWithoutSchemas = rewrite('types-without-schemas', 'sdk/dist/esm/types.js', source => {
  if (createHash('sha256').update(source).digest('hex') !== knownHash) {
    throw new Error(
      'types.js of the SDK has changed: check the guards in build/without-zod.mjs and update the hash there',
    );
  }
  return [
    ...constantsOf(source),
    ...schemasOf(source),
    ...Object.entries(guards).map(([name, check]) => `export const ${name} = value => ${check};`),
  ].join('\n');
});

/**
 * Returns the constants and error classes unchanged.
 * @param {string} source
 */
function constantsOf(source) {
  return [
    ...(source.match(/^export const [A-Z_]+ = [^z\n]+;$/gm) ?? []),
    ...(source.match(/^export var ErrorCode;$.*?^\}\)\(.*?;$/ms) ?? []),
    ...(source.match(/^export class .*?^\}$/gms) ?? []),
  ];
}

/**
 * Returns schemas with the three members that the SDK uses: the method, a list of options, and a function `safeParse`
 * that accepts every value.
 * @param {string} source
 */
function schemasOf(source) {
  const declared = source.matchAll(/^export const (\w+Schema) = (.*?)(?=^export |^const )/gms);
  return [
    'const schema = (value, options) => ({ shape: { method: { value } }, options, safeParse: data => ({ success: true, data }) });',
    ...Array.from(declared, ([, name, text = '']) => {
      const method = /\bmethod: z\.literal\(('[^']+')\)/.exec(text)?.[1];
      const options = /^z\.enum\((\[[^\]]+\])\)/.exec(text)?.[1];
      return `export const ${name} = /* @__PURE__ */ schema(${method}, ${options});`;
    }),
  ];
}

/** @type {import('esbuild').Plugin} */
const zodLeftOut = {
  name: 'zod-left-out',
  setup(build) {
    build.onResolve({ filter: /^zod(?:\/|-to-json-schema$)/ }, () => ({ path: 'zod', namespace: 'left-out' }));
    const names = ['object', 'safeParse', 'safeParseAsync', 'toJSONSchema', 'zodToJsonSchema'];
    const contents = names.map(name => `export const ${name} = undefined;`).join('\n');
    build.onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents }));
  },
};

/**
 * The SDK validates messages with zod, although protocol.ts has validated them before. Creating the schemas took 20 ms
 * and 6 MiB at every start.
 */
export const withoutZod = [typesWithoutSchemas, zodLeftOut];
