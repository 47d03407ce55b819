/** Colours words for a terminal. For other output, the text stays unchanged. */
export interface TerminalStyle {
  heading: (text: string) => string;
  good: (text: string) => string;
  warning: (text: string) => string;
  bad: (text: string) => string;
}

export const terminalWidth = 80;

/** Uses colours only for a terminal, and only if NO_COLOR is not set (https://no-color.org). */
export function createTerminalStyle(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): TerminalStyle {
  const { NO_COLOR: noColor = '', TERM: terminal } = env;
  const hasColors = stream.isTTY === true && noColor === '' && terminal !== 'dumb';
  const withCode =
    (code: number) =>
    (text: string): string =>
      hasColors ? `\u001b[${code}m${text}\u001b[0m` : text;
  return { heading: withCode(1), good: withCode(32), warning: withCode(33), bad: withCode(31) };
}

/** Wraps a text at 80 columns. A longer word gets a line of its own. */
export function wrapText(text: string, firstIndent: string, indent: string): string[] {
  const lines: string[] = [];
  let line = firstIndent;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > terminalWidth) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
