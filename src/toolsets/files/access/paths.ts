import path from 'node:path';
import { Failure } from '../../../errors/failure.ts';
import { shortenText } from '../../../text/truncate.ts';

/** The syntax of paths on Windows or on Linux. macOS has the same syntax as Linux. */
export type PathStyle = 'posix' | 'windows';

export function pathStyleOfPlatform(platform: NodeJS.Platform): PathStyle {
  return platform === 'win32' ? 'windows' : 'posix';
}

/** Parses an absolute path that a client sent. `argument` is the name of the argument for the error message. */
export function parseAbsolutePath(text: string, argument: string, style: PathStyle, hint = ''): string {
  const problem = text.includes('\0') ? 'must not contain a NUL character' : styleProblem(text, style);
  if (problem !== undefined)
    throw new Failure(
      'argument',
      `${argument} ${problem}, got ${JSON.stringify(shortenText(text))}`,
      hint ? { hint } : {},
    );
  return style === 'windows' ? path.win32.resolve(text) : path.posix.resolve(text);
}

function styleProblem(text: string, style: PathStyle): string | undefined {
  if (style === 'posix') return text.startsWith('/') ? undefined : 'must be an absolute path, starting with "/"';
  if (/^[\\/]{2}[?.][\\/]/.test(text)) return 'must not be a device name';
  if (!/^[A-Za-z]:[\\/]/.test(text) && !/^[\\/]{2}[^\\/]+[\\/]+[^\\/]+/.test(text)) {
    return 'must be an absolute path, like "C:\\Users\\me\\Documents"';
  }
  const parts = text.replace(/^[A-Za-z]:/, '').split(/[\\/]+/);
  if (parts.some(part => part.includes(':'))) return 'must not contain a colon after the drive';
  if (parts.some(part => deviceName.test(part))) return 'must not be a device name';
  // Windows removes dots and spaces at the end of a name when it opens a file. Such a name is rejected, because Windows
  // would open another file than the one that was checked.
  if (parts.some(part => /[. ]$/.test(part) && part !== '.' && part !== '..')) {
    return 'must not contain names that end with a dot or a space';
  }
  return undefined;
}

const deviceName =
  /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]) *(?:\..*)?$/i;

/** Returns whether a resolved path is the folder itself or an entry below it. */
export function isInsideFolder(inner: string, folder: string, style: PathStyle): boolean {
  const separator = style === 'windows' ? '\\' : '/';
  const [left, right] = style === 'windows' ? [withoutCase(inner), withoutCase(folder)] : [inner, folder];
  return left === right || left.startsWith(right.endsWith(separator) ? right : right + separator);
}

/**
 * Converts a path to lower case by the rules of Windows, one character at a time: the Kelvin sign does not become the
 * letter k.
 */
function withoutCase(text: string): string {
  return text.replace(/[^\0-\x7f]|[a-z]+/g, part => {
    const upper = part.toUpperCase();
    return upper.toLowerCase() === part ? upper : part;
  });
}

/** Replaces the parent folder at the start of a path: `/a/b/c` becomes `/x/b/c` if `/a` is replaced by `/x`. */
export function replaceParentFolder(inner: string, from: string, to: string, style: PathStyle): string {
  const own = style === 'windows' ? path.win32 : path.posix;
  return from === to ? inner : own.join(to, own.relative(from, inner));
}
