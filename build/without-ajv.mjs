// @ts-check
import { rewrite } from './rewrite.mjs';

/**
 * The server of the SDK creates a JSON Schema validator for elicitation, which is not used. It costs 105 KB and 10 ms.
 */
export const withoutAjv = rewrite(
  'without-ajv',
  'sdk/dist/esm/validation/ajv-provider.js',
  () => 'export class AjvJsonSchemaValidator {}',
);
