import path from 'node:path';
import { Failure } from '../../../errors/failure.ts';
import { shorten } from '../../../text/truncate.ts';

/** The two ways to write a path; macOS and Linux share one. */
export type PathStyle = 'posix' | 'windows';

export function pathStyle(platform: NodeJS.Platform): PathStyle {
  return platform === 'win32' ? 'windows' : 'posix';
}

/** Reads an absolute path as a client sent it; `what` is the name of the argument for the error. */
export function readAbsolutePath(text: string, what: string, style: PathStyle): string {
  const problem = text.includes('\0') ? 'must not contain a NUL character' : styleProblem(text, style);
  if (problem !== undefined) throw new Failure('argument', `${what} ${problem}, got ${JSON.stringify(shorten(text))}`);
  return style === 'windows' ? path.win32.resolve(text) : path.posix.resolve(text);
}

function styleProblem(text: string, style: PathStyle): string | undefined {
  if (style === 'posix') return text.startsWith('/') ? undefined : 'must be an absolute path, starting with "/"';
  if (/^[\\/]{2}[?.][\\/]/.test(text)) return 'must not name a device';
  if (!/^[A-Za-z]:[\\/]/.test(text) && !/^[\\/]{2}[^\\/]+[\\/]+[^\\/]+/.test(text)) {
    return 'must be an absolute path, like "C:\\Users\\me\\Documents"';
  }
  const parts = text.replace(/^[A-Za-z]:/, '').split(/[\\/]+/);
  if (parts.some(part => part.includes(':'))) return 'must not have a colon after the drive';
  if (parts.some(part => deviceName.test(part))) return 'must not name a device';
  // Windows drops dots and blanks at the end of a name, so the name checked would not be the name opened.
  if (parts.some(part => /[. ]$/.test(part) && part !== '.' && part !== '..')) {
    return 'must not have names that end in a dot or a blank';
  }
  return undefined;
}

const deviceName =
  /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]) *(?:\..*)?$/i;

/** Whether a path is a folder or something below it; both must be resolved. Siblings that only look alike are not. */
export function isInside(inner: string, folder: string, style: PathStyle): boolean {
  const separator = style === 'windows' ? '\\' : '/';
  const [left, right] = style === 'windows' ? [withoutCase(inner), withoutCase(folder)] : [inner, folder];
  return left === right || left.startsWith(right.endsWith(separator) ? right : right + separator);
}

/** As Windows compares names: one unit with one other, never K with the sign for kelvin. */
function withoutCase(text: string): string {
  return text.replace(/[^\0-\x7f]|[a-z]+/g, part => {
    const upper = part.toUpperCase();
    return upper.toLowerCase() === part ? upper : part;
  });
}

/** The same place below another folder: `/a/b/c` seen from `/a` is `/x/b/c` below `/x`. */
export function moveBelow(inner: string, from: string, to: string, style: PathStyle): string {
  const own = style === 'windows' ? path.win32 : path.posix;
  return from === to ? inner : own.join(to, own.relative(from, inner));
}
