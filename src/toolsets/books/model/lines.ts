/** Lines as editors count them: ended by LF, CR LF or CR, and by nothing else. */
export function splitLines(text: string): string[] {
  return text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n');
}
