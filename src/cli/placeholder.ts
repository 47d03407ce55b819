import { existsSync } from 'node:fs';
import { badValue } from '../toolset/flag-value.ts';
import type { Flag } from '../toolset/toolset.ts';

/**
 * The notations of values that a host, a shell or the user should have replaced: `${user_config.token}`, `${env:TOKEN}`,
 * `{env:TOKEN}`, `{{token}}`, `$env:TOKEN`, `%TOKEN%`, `<URL>`. A percent sign before two hexadecimal digits is part of
 * a URL.
 */
const notations = String.raw`\$\{[^{}]*\}|\{(?:env|input):[^{}]*\}|\{\{[^{}]*\}\}|\$env:\w+|%[A-Za-z_]{3}\w*%|<[A-Za-z][^<>]*>`;
/**
 * A dollar sign with capitals can be part of a file name. It is a placeholder only if it is a whole segment of a path.
 */
const shellVariable = String.raw`\$[A-Z_][A-Z0-9_]*`;
/** --print-config and the documentation write `your-token` in place of a token. */
const whole = new RegExp(`^(?:your-token|%\\w+%|${notations}|${shellVariable})$`);
const part = new RegExp(`${notations}|(?<=^|[\\\\/@])${shellVariable}(?=$|[\\\\/:])`);

/** Returns whether a value consists of a placeholder. Such a value counts as not set. */
export function isPlaceholder(value: string): boolean {
  return whole.test(value);
}

/** Throws if a value contains a placeholder. Secrets, and the paths of existing files, can contain any characters. */
export function rejectPlaceholderIn(name: string, value: string, { isSecret }: Flag): void {
  const found = isSecret === true ? undefined : part.exec(value)?.[0];
  if (found === undefined || existsSync(value)) return;
  const hint = 'Neither the host nor a shell has replaced it: write the real value.';
  throw badValue(`--${name} contains the placeholder ${found}`, undefined, hint);
}
