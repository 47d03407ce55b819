// The functions of jsonc-parser that the program uses. Its main file also contains tables of names that cannot be removed.
export { parseTree, visit } from '../node_modules/jsonc-parser/lib/esm/impl/parser.js';
export { createScanner } from '../node_modules/jsonc-parser/lib/esm/impl/scanner.js';
