import { isUtf8 } from 'node:buffer';
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../../../errors/failure.ts';
import { tryOrUndefined } from '../../../../errors/system-error.ts';
import { wrapInCodeFence } from '../../model/fence.ts';
import type { ProblemRecord } from '../../model/problem.ts';
import { encodingHint, type ProblemCollectionEntry } from './collection.ts';
import { parseProblemRecord } from './record.ts';
import { readProblemYaml, type YamlValue } from './yaml.ts';

const maxStatementBytes = 1_048_576;
const maxSampleBytes = 65_536;
const maxSamples = 50;

const statementFolders = ['statement', 'problem_statement', 'statements'];
const polygonLanguages = ['english', 'chinese', 'russian'];
const statementFile = /^problem(?:[._-]?([a-z]{2})(?:[-_][a-z]+)?)?\.(md|html|tex)$/i;

/** Returns whether a folder with these files is a problem package. */
export function isProblemPackage(names: readonly string[]): boolean {
  return names.includes('problem.yaml') || names.includes('problem.xml');
}

/** Creates the entry of a package in the Kattis, Hydro or Polygon format. Its files are read at each call. */
export function createPackageEntry(root: string, folder: string, names: readonly string[]): ProblemCollectionEntry {
  const source = path.basename(path.dirname(folder));
  const id = path.basename(folder);
  const hasStatement = names.some(name => statementFile.test(name) || statementFolders.includes(name));
  const place = (): string => folder;
  return { source, id, hasStatement, place, read: () => readPackage(root, folder, { source, id }, place) };
}

function readPackage(
  root: string,
  folder: string,
  key: { source: string; id: string },
  place: () => string,
): ProblemRecord {
  const read = (name: string, maxBytes: number): string | undefined =>
    readInside(root, path.join(folder, name), maxBytes);
  const yaml = read('problem.yaml', maxStatementBytes);
  const fields = yaml === undefined ? readXml(read('problem.xml', maxStatementBytes) ?? '') : readProblemYaml(yaml);
  const statements = statementsOf(folder, read);
  const samples = samplesOf(root, folder);
  const { content, content_cn } = statements;
  const append = (text: string | undefined) => (text === undefined ? undefined : text + unreadableSamples(samples));
  const record = {
    ...key,
    slug: key.id,
    title: titleOf(fields.get('title') ?? fields.get('name')),
    title_cn: titleOf(fields.get('title') ?? fields.get('name'), 'zh'),
    tags: listOf(fields.get('tag') ?? fields.get('tags') ?? fields.get('keywords')),
    difficulty: textOf(fields.get('difficulty')),
    link: textOf(fields.get('source_url') ?? fields.get('url')),
    content: append(content),
    content_cn: append(content_cn),
    samples: samples.length === 0 ? undefined : samples.flatMap(({ pair }) => (pair === undefined ? [] : [pair])),
  };
  return parseProblemRecord(record, place);
}

function titleOf(value: YamlValue | undefined, language = 'en'): string | undefined {
  if (value === undefined || typeof value === 'string' || Array.isArray(value))
    return language === 'en' ? textOf(value) : undefined;
  const names = new Map(Object.entries(value));
  return names.get(language) ?? (language === 'en' ? names.values().next().value : undefined);
}

function textOf(value: YamlValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * Converts the value of a YAML field to an array. Kattis separates keywords by white space, and Hydro has a YAML list.
 */
function listOf(value: YamlValue | undefined): string[] {
  if (typeof value === 'string') return value.split(/[\s,]+/).filter(word => word !== '');
  return Array.isArray(value) ? [...value] : [];
}

/** Parses the names and tags in problem.xml of Polygon. */
function readXml(xml: string): Map<string, YamlValue> {
  const names = [...xml.matchAll(/<name\s[^<>]*>/g)].map(([tag]) => [
    attribute(tag, 'language'),
    attribute(tag, 'value'),
  ]);
  const language = (name: string | undefined) => (name === 'chinese' ? 'zh' : name === 'english' ? 'en' : (name ?? ''));
  const tags = [...xml.matchAll(/<tag\s[^<>]*>/g)].map(([tag]) => attribute(tag, 'value') ?? '');
  return new Map<string, YamlValue>([
    ['title', Object.fromEntries(names.map(([name, value = '']) => [language(name), value]))],
    ['tags', tags.filter(tag => tag !== '')],
  ]);
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value?.replace(/&(lt|gt|quot|apos|amp);/g, (_, entity: string) => entities[entity] ?? '');
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

type Read = (name: string, maxBytes: number) => string | undefined;

/**
 * Returns the English and the Chinese statement. If there is no English statement, one in another language takes its
 * place.
 */
function statementsOf(folder: string, read: Read): { content: string | undefined; content_cn: string | undefined } {
  const names = namesIn(folder);
  const folders = statementFolders.flatMap(inner => (names.includes(inner) ? [inner] : []));
  const languageFolders = folders.includes('statements') ? polygonLanguages.map(name => `statements/${name}`) : [];
  const found = ['', ...folders, ...languageFolders].flatMap(inner =>
    (inner === '' ? names : namesIn(path.join(folder, inner))).flatMap(name => {
      const [, code = '', extension = ''] = statementFile.exec(name) ?? [];
      if (extension === '') return [];
      const language = code.toLowerCase() || inner.slice('statements/'.length, 'statements/'.length + 2);
      return [{ file: path.posix.join(inner, name), language: language === 'ch' ? 'zh' : language, extension }];
    }),
  );
  const best = (languages: readonly string[]) =>
    languages
      .flatMap(language => ['md', 'html', 'tex'].map(extension => ({ language, extension })))
      .map(({ language, extension }) => found.find(one => one.language === language && one.extension === extension))
      .find(one => one !== undefined);
  const isChinese = (language: string): boolean => language === 'zh' || language === 'cn';
  const others = found.map(({ language }) => language).filter(language => !isChinese(language));
  const load = (file: ReturnType<typeof best>) =>
    file && formatted(read(file.file, maxStatementBytes), file.extension.toLowerCase());
  return { content: load(best(['en', '', ...others])), content_cn: load(best(['zh', 'cn'])) };
}

function formatted(text: string | undefined, extension: string): string | undefined {
  if (text === undefined || extension !== 'tex') return text;
  return `(This statement is LaTeX source.)\n\n${wrapInCodeFence(text, 'latex')}\n`;
}

interface SampleFile {
  name: string;
  pair: { input: string; output: string } | undefined;
}

/**
 * Reads the sample files: `data/sample/*.in` with `.ans` (Kattis), or `statements/LANGUAGE/example.NN` with `.a`
 * (Polygon).
 */
function samplesOf(root: string, folder: string): SampleFile[] {
  const places = [
    { inner: 'data/sample', input: /\.in$/, output: (name: string) => name.replace(/\.in$/, '.ans') },
    ...polygonLanguages.map(language => ({
      inner: `statements/${language}`,
      input: /^example\.\d+$/,
      output: (name: string) => `${name}.a`,
    })),
  ];
  const folders = namesIn(folder);
  for (const { inner, input, output } of places) {
    if (!folders.includes(path.dirname(inner))) continue;
    const names = namesIn(path.join(folder, inner));
    const inputs = names.filter(name => input.test(name) && names.includes(output(name))).slice(0, maxSamples);
    const read = (name: string) => readInside(root, path.join(folder, inner, name), maxSampleBytes, true);
    const samples = inputs.map(name => {
      const pair = { input: read(name), output: read(output(name)) };
      const { input: given, output: expected } = pair;
      return {
        name: `${inner}/${name}`,
        pair: given === undefined || expected === undefined ? undefined : { input: given, output: expected },
      };
    });
    if (samples.length > 0) return samples;
  }
  return [];
}

function unreadableSamples(samples: readonly SampleFile[]): string {
  const note = (name: string): string =>
    `\n\n(${name} or its answer is larger than ${maxSampleBytes} bytes or not in UTF-8.)\n`;
  return samples.map(({ name, pair }) => (pair === undefined ? note(name) : '')).join('');
}

/** Returns the sorted names in a folder, or an empty array if it does not exist. */
function namesIn(folder: string): string[] {
  return tryOrUndefined(() => readdirSync(folder))?.sort() ?? [];
}

/** Reads a file of the collection. A symbolic link to a file outside of the collection counts as missing. */
function readInside(root: string, file: string, maxBytes: number, canOmit = false): string | undefined {
  const target = tryOrUndefined(() => (lstatSync(file).isSymbolicLink() ? realpathSync(file) : file));
  if (target === undefined || !target.startsWith(root + path.sep)) return undefined;
  const stats = statSync(target);
  if (!stats.isFile()) return undefined;
  const bytes = stats.size <= maxBytes ? readFileSync(target) : undefined;
  if (bytes !== undefined && isUtf8(bytes)) return bytes.toString('utf8');
  if (canOmit) return undefined;
  if (bytes !== undefined) throw new Failure('upstream', `${file} is not in UTF-8.`, { hint: encodingHint });
  throw new Failure('upstream', `${file} is larger than ${maxBytes} bytes.`);
}
