import * as v from 'valibot';
import { Failure, type FailureCode } from '../errors/failure.ts';
import { findNearestName } from '../text/nearest.ts';
import { shortenText, truncateCharacters } from '../text/truncate.ts';

/** Converts an error message into an object, for toolsets that report errors as objects. */
export type ErrorReporter = (sentence: string) => Readonly<Record<string, unknown>>;

/**
 * Validates an external value against a schema. The error message contains the name of the invalid part, the expected
 * type and the received value. `hints` is the next step, or maps names to it.
 */
export function validateValue<const Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  code: FailureCode,
  what: string,
  report?: ErrorReporter,
  hints: Readonly<Record<string, string>> | string = {},
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value, { abortPipeEarly: true });
  if (result.success) return result.output;
  // The message does not repeat a value that a backend has sent, because it can be long, hostile or contain the token.
  const show = code === 'malformed' ? kindOf : shown;
  const issue = tellingIssue(result.issues);
  const problem = `${what}: ${sentence(schema, issue, show)}`;
  const name = v.getDotPath(issue) ?? '';
  const hint = typeof hints === 'string' ? hints : Object.hasOwn(hints, name) ? hints[name] : undefined;
  throw new Failure(code, problem, { ...(hint && { hint }), ...(report && { report: report(problem) }) });
}

/**
 * Returns the issue that the error message reports. An unknown argument takes precedence over a missing one, because
 * its name may be misspelled.
 */
function tellingIssue(issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): v.BaseIssue<unknown> {
  const [first] = issues;
  const isMissing = first.kind === 'schema' && first.input === undefined;
  return (isMissing ? issues.find(({ expected }) => expected === 'never') : undefined) ?? first;
}

function sentence(schema: v.GenericSchema, issue: v.BaseIssue<unknown>, show: (value: unknown) => string): string {
  const path = truncateCharacters(v.getDotPath(issue) ?? '', maxShownCharacters);
  if (issue.kind === 'validation') return `"${path}" ${issue.message}, got ${show(issue.input)}`;
  if (issue.expected === 'never') return `unknown argument "${path}"${didYouMean(schema, path)}`;
  if (issue.input === undefined) return path === '' ? 'the value is missing' : `"${path}" is required`;
  const name = path === '' ? 'it' : `"${path}"`;
  return `${name} must be ${spoken(issue.expected ?? 'another value')}, got ${show(issue.input)}`;
}

function didYouMean(schema: v.GenericSchema, name: string): string {
  if (!('entries' in schema) || typeof schema.entries !== 'object' || schema.entries === null) return '';
  const known = Object.keys(schema.entries);
  const close = findNearestName(name, known);
  if (close !== undefined) return `, did you mean "${close}"?`;
  return known.length === 0 ? ', it takes none' : `, it takes ${known.map(key => `"${key}"`).join(', ')}`;
}

/** Converts the type notation of valibot, such as `("com" | "cn")`, into words. */
function spoken(expected: string): string {
  const choices = expected.startsWith('(') ? expected.slice(1, -1).split(' | ') : [expected];
  return choices.map(choice => articles[choice] ?? choice).join(' or ');
}

const articles: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  Object: 'an object',
  Array: 'a list',
  null: 'null',
};

const maxShownCharacters = 60;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function shown(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} ${value}`;
  if (typeof value !== 'string') return kindOf(value);
  return `the string ${JSON.stringify(shortenText(value, maxShownCharacters))}`;
}
