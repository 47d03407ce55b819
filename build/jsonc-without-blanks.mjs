// @ts-check
import { rewrite } from './rewrite.mjs';

/**
 * The scanner of jsonc-parser copies white space character by character, although nothing reads the copy. In a file with
 * a megabyte of blanks the garbage collector then takes nine tenths of the time.
 */
export const jsoncWithoutBlanks = rewrite('jsonc-without-blanks', 'jsonc-parser/lib/esm/impl/scanner.js', source =>
  source.replace(
    /(if \(isWhiteSpace\(code\)\) \{\s+do \{\s+pos\+\+;\s+)value \+= String\.fromCharCode\(code\);\s+/,
    '$1',
  ),
);
