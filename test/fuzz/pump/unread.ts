import { readdirSync, readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';
import type { Reader } from './reader.ts';

const fewBytes = 2000;

/** Matches the names of functions that parse external input. */
const readerName =
  /^export (?:async )?function\*? ((?:read|parse|decode|unpack|scan|guess|split|fold)(?:[A-Z]\w*)?)\(/gm;
const builtExpression = /new RegExp\(|RE2JS\.compile\(/g;

const argument = 'an argument of a call, whose length its schema limits';
const copy = 'copies bytes';
/** Maps the names of functions that need no test case to the reason. */
const exempt: Readonly<Record<string, string>> = {
  readSettings: 'the command line, whose length the system limits',
  parseSettings: 'the command line',
  splitVariableValue: 'an environment variable, whose length the system limits',
  parseLogLevel: 'an environment variable, whose length the system limits',
  readServerSettings: 'the command line',
  readBackup: 'a file that this program wrote',
  parseBucketRoot: 'the command line',
  parseEndpoint: 'the command line',
  readTask: 'the command line',
  readBucketSettings: 'the command line',
  readWholeNumberFlag: 'the command line',
  parseAbsolutePath: 'the command line',
  readMessage: 'looks at the fields of a parsed message',
  readInitializeRequest: 'looks at the fields of a parsed message',
  readArguments: 'looks at the fields of parsed arguments',
  parseDeltaCursor: argument,
  readPathSegment: argument,
  readOptionalText: argument,
  parseIsoInstant: argument,
  readDecimal: argument,
  readPicture: argument,
  readSymbols: argument,
  splitDateDigits: argument,
  parseRangeEnd: argument,
  parseIsoDate: argument,
  parsePageArguments: argument,
  parseFileKind: argument,
  parseMatchMode: argument,
  scanRecordOf: 'creates a record',
  readOrFailure: 'calls the reader of a collection, which has test cases',
  decodeExcelCharacters: 'decodes one string in one pass',
  decodeUtf16: 'decodes one string in one pass',
  readJournalStateOrEmpty: 'reads the state of an open journal',
  readPseudoFileSystems: 'the table of mounts, which the system writes',
  parseMountInfo: 'the table of mounts, which the system writes',
  decodeBase95: 'the packed code of the built file',
  readPidNamespace: copy,
  readSystemFile: copy,
  readSmallFile: copy,
  readFilePart: copy,
  readIntoBuffer: copy,
  readWholeFile: copy,
  readFormerContent: copy,
  readRangeInChunks: copy,
  readFileChunks: copy,
  readResponseBody: copy,
  readImportedBook: 'opens a folder, whose files planImport reads',
};

/**
 * Runs every case with a short input. Returns the readers of src/ that no case has called, and the regular expressions
 * built at run time that no case has created. Each of them needs a case.
 */
export async function unreadParts(readers: readonly Reader[], bundle: string): Promise<string[]> {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  for (const reader of readers) for (const pumped of reader.cases) await reader.read(pumped.content(fewBytes));
  let covered: Profiler.FunctionCoverage[] = [];
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error !== null) throw error;
    covered = result.find(({ url }) => url.endsWith(bundle))?.functions ?? [];
  });
  session.disconnect();
  const code = readFileSync(bundle, 'utf8');
  const modules = modulesIn(code);
  return sources().flatMap(file => {
    const text = readFileSync(file, 'utf8');
    const module = modules.get(file);
    // This function is excluded: esbuild names it after a lazily imported module, and it runs only once, perhaps before
    // the first case.
    const functions = covered.filter(
      ({ functionName, ranges: [range] }) => module !== undefined && functionName !== file && isWithin(range, module),
    );
    const called = functions.flatMap(({ functionName, ranges: [range] }) => (range?.count ? [functionName] : []));
    const names = Array.from(text.matchAll(readerName), ([, name = '']) => name);
    const uncalled = names.filter(
      name => !Object.hasOwn(exempt, name) && !called.some(other => isSameName(other, name)),
    );
    const isBuilt = text.search(builtExpression) === -1 || (called.length > 0 && areAllBuilt(code, module, functions));
    return [...uncalled.map(name => `${file}: ${name}`), ...(isBuilt ? [] : [`${file}: a regular expression`])];
  });
}

interface Range {
  startOffset: number;
  endOffset: number;
}

/** esbuild writes the path of each module in a comment before its code. */
function modulesIn(code: string): Map<string, Range> {
  const marks = [...code.matchAll(/^\/\/ (\S+)$/gm)];
  return new Map(
    marks.map(({ 1: file = '', index }, place) => [
      file,
      { startOffset: index, endOffset: marks[place + 1]?.index ?? code.length },
    ]),
  );
}

/** esbuild appends a number to names that occur in several modules. */
function isSameName(bundled: string, name: string): boolean {
  return bundled.startsWith(name) && /^\d*$/.test(bundled.slice(name.length));
}

function isWithin(inner: Range | undefined, outer: Range): boolean {
  return inner !== undefined && inner.startOffset >= outer.startOffset && inner.endOffset <= outer.endOffset;
}

function areAllBuilt(
  code: string,
  module: Range | undefined,
  functions: readonly Profiler.FunctionCoverage[],
): boolean {
  if (module === undefined) return false;
  const ranges = functions.flatMap(({ ranges: blocks }) => blocks);
  const text = code.slice(module.startOffset, module.endOffset);
  return Array.from(text.matchAll(builtExpression), ({ index }) => module.startOffset + index).every(at => {
    const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= at && at < endOffset);
    // Block ranges of the coverage are nested, and the shortest one around the offset counts. Code outside of functions
    // runs on import.
    const [shortest] = around.toSorted(
      (left, right) => left.endOffset - left.startOffset - (right.endOffset - right.startOffset),
    );
    return shortest === undefined || shortest.count > 0;
  });
}

function sources(): string[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map(name => `src/${name.replaceAll('\\', '/')}`)
    .filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts'));
}
