import { RE2JS } from 're2js';

/** A regular expression for single lines. */
export interface LinePattern {
  /** Whether its time only grows with the text, whatever the pattern and the text. */
  isLinear: boolean;
  /** Where the first match begins; -1 for none. */
  find(line: string): number;
}

/** Why a pattern cannot be used. */
export interface BadPattern {
  reason: string;
}

/** Words and alternatives of words: no engine is faster at them than the platform's, and none of them can explode. */
const plainWords = /^(\(\?i\))?([^\\^$.?*+()[\]{}\n\r]{1,500})$/;

/** In linear time where the pattern allows it; lookaround and backreferences need the platform's engine. */
export function readLinePattern(pattern: string): LinePattern | BadPattern {
  const [isPlain, ignoreCase, words = ''] = plainWords.exec(pattern) ?? [];
  if (isPlain !== undefined) return platformPattern(words, ignoreCase === undefined ? 'u' : 'iu', true);
  try {
    const linear = RE2JS.compile(pattern.replace(/\\(.)/gs, escape => (escape === '\\Z' ? '\\z' : escape)));
    return {
      isLinear: true,
      find: line => {
        if (!linear.test(line)) return -1;
        const matcher = linear.matcher(line);
        return matcher.find() ? matcher.start() : 0;
      },
    };
  } catch (error) {
    return needsPlatform(pattern) ? platformDialect(pattern) : { reason: reasonOf(error) };
  }
}

/** Lookaround, backreferences, and counts beyond what linear time allows. */
function needsPlatform(pattern: string): boolean {
  return /\(\?<?[=!]|\\[1-9]|\\k<|\(\?P=|\{\d{4}|\{\d*,\d{4}/.test(pattern);
}

/** Anchors the platform does not have; a line is all there is, so they mean the same. */
const anchors: Readonly<Record<string, string>> = { A: '^', Z: '$', z: '$' };

/** What RE2 and Python write differently. What would mean something else here is refused. */
function platformDialect(pattern: string): LinePattern | BadPattern {
  if (pattern.includes('[:')) return { reason: 'classes such as [[:alpha:]] do not go with lookaround, write \\p{L}' };
  const inline = /^\(\?([ims]+)\)/.exec(pattern);
  const source = pattern
    .slice(inline?.[0].length ?? 0)
    .replaceAll('(?P<', '(?<')
    .replace(/\(\?P=(\w+)\)/g, '\\k<$1>')
    .replace(/\\(?:([pP])([A-Z])|(.))/gs, (escape, property?: string, category?: string, letter = '') => {
      if (property !== undefined) return `\\${property}{${category}}`;
      return anchors[letter] ?? escapedSign(letter) ?? escape;
    });
  try {
    return platformPattern(source, `${[...new Set(inline?.[1] ?? '')].join('')}u`, false);
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

/** RE2 lets every sign be escaped, the platform only those that mean something. */
function escapedSign(letter: string): string | undefined {
  if (!/^[ -/:-@[-`{-~]$/.test(letter)) return undefined;
  return `\\x${letter.charCodeAt(0).toString(16)}`;
}

function platformPattern(source: string, flags: string, isLinear: boolean): LinePattern {
  const regex = new RegExp(source, flags);
  return { isLinear, find: line => line.search(regex) };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
