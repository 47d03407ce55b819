// @ts-check
import { rewrite } from './rewrite.mjs';

/** The SDK declares some two hundred zod schemas and we need five: marks their construction as free of effects. */
export const unusedSchemasDropped = rewrite('unused-schemas-dropped', 'sdk/dist/esm/types.js', source =>
  source.replace(
    /(?<![\w.])(z\.\w+\(|\w+Schema\.(?:extend|merge|omit|pick|partial|or)\(|\w+Schema\.shape|object\(|custom\()/g,
    call => (call.endsWith('.shape') ? call : `/* @__PURE__ */ ${call}`),
  ),
);
