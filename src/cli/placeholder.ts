import { existsSync } from 'node:fs';
import { badValue } from '../toolset/flag-value.ts';
import type { Flag } from '../toolset/toolset.ts';

/**
 * Placeholders that a host, a shell or the user should have replaced: `${user_config.token}`, `${env:TOKEN}`,
 * `{env:TOKEN}`, `{{token}}`, `$env:TOKEN`, `%TOKEN%`, `<URL>`, `https://your-server`. A percent sign before two
 * hexadecimal digits is part of a URL.
 */
const notations = String.raw`\$\{[^{}]*\}|\{(?:env|input):[^{}]*\}|\{\{[^{}]*\}\}|\$env:\w+|%[A-Za-z_]{3}\w*%|<[A-Za-z][^<>]*>|(?<=^https?://)your-[\w-]+(?=[/:]|$)`;
/**
 * Matches a variable of a shell, such as `$HOME`. Inside a path it counts only as a whole segment, because a file name
 * can contain a dollar sign with capitals.
 */
const shellVariable = String.raw`\$[A-Z_][A-Z0-9_]*`;
/** --print-config and the documentation contain `your-token` as the placeholder for a token. */
const whole = new RegExp(`^(?:your-token|%\\w+%|${notations}|${shellVariable})$`);
const part = new RegExp(`${notations}|(?<=^|[\\\\/@])${shellVariable}(?=$|[\\\\/:])`);

/** Returns whether a value consists of a placeholder. The setting then counts as not set. */
export function isPlaceholder(value: string): boolean {
  return whole.test(value);
}

/**
 * Throws an error if a value contains a placeholder. Secrets and paths of existing files are not tested, because they
 * can contain any characters.
 */
export function rejectPlaceholderIn(name: string, value: string, { isSecret }: Flag): void {
  const found = isSecret === true ? undefined : part.exec(value)?.[0];
  if (found === undefined || existsSync(value)) return;
  const hint = 'Neither the host nor a shell has replaced it: write the real value.';
  throw badValue(`--${name} contains the placeholder ${found}`, undefined, hint);
}
