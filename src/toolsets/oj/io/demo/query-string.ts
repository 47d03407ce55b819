import { frameworkReply, Refusal } from './reply.ts';

/** The words of the real backend's framework, which parses strictly and in Rust's notation. */
function refuse(reason: string): never {
  throw new Refusal(frameworkReply(`Failed to deserialize query string: ${reason}`));
}

/** The value of `name`; some fields of the backend have a second name. */
export function readText(query: URLSearchParams, name: string, alias = name): string | undefined {
  const values = query.getAll(name);
  if (alias !== name) values.push(...query.getAll(alias));
  if (values.length > 1) refuse(`duplicate field \`${name}\``);
  return values[0];
}

/** An unsigned 32-bit integer. */
export function readCount(query: URLSearchParams, name: string): number | undefined {
  const text = readText(query, name);
  if (text === undefined) return undefined;
  if (text === '') refuse(`${name}: cannot parse integer from empty string`);
  if (!/^\+?\d+$/.test(text)) refuse(`${name}: invalid digit found in string`);
  const count = Number(text);
  if (count > 0xffff_ffff) refuse(`${name}: number too large to fit in target type`);
  return count;
}

export function readNumber(query: URLSearchParams, name: string): number | undefined {
  const text = readText(query, name);
  if (text === undefined) return undefined;
  if (text === '') refuse(`${name}: cannot parse float from empty string`);
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (/^\+?inf(inity)?$/i.test(text)) return Number.POSITIVE_INFINITY;
  if (/^-inf(inity)?$/i.test(text)) return Number.NEGATIVE_INFINITY;
  if (/^[+-]?nan$/i.test(text)) return Number.NaN;
  return refuse(`${name}: invalid float literal`);
}

export function readSwitch(query: URLSearchParams, name: string): boolean | undefined {
  const text = readText(query, name);
  if (text === undefined) return undefined;
  if (text === 'true') return true;
  if (text === 'false') return false;
  return refuse(`${name}: provided string was not \`true\` or \`false\``);
}
