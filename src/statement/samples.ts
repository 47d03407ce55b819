import { ConversionBudget, ConversionBudgetExceeded } from './budget.ts';
import type { SampleBlock } from './sample-block-collector.ts';
import { sampleInfoStringPattern, splitIntoSampleBlocks } from './sample-blocks.ts';
import { findLabeledValue, findSampleLabel, isButtonText, type SampleLabel } from './sample-labels.ts';

/** A sample of a statement. Its input and output are unchanged. */
export interface SamplePair {
  input: string;
  output: string;
  explanation?: string;
}

/**
 * Finds the samples of a statement by its headings and preformatted blocks. An input without output is not a sample.
 * Returns undefined if the page exceeds the budget.
 */
export function readSamples(content: string): SamplePair[] | undefined {
  try {
    return pairsOf([...splitIntoSampleBlocks(content, new ConversionBudget())]);
  } catch (error) {
    if (error instanceof ConversionBudgetExceeded) return undefined;
    throw error;
  }
}

function pairsOf(all: readonly SampleBlock[]): SamplePair[] {
  const hasEnglish = all.some(({ kind, language }) => kind === 'code' && language === 'en');
  const hasNamedFences = all.some(({ info }) => roleOfInfo(info) !== undefined);
  const pairing = new Pairing();
  for (const block of all) {
    if (hasEnglish && block.language === 'ja') continue;
    if (hasNamedFences && block.kind === 'code' && roleOfInfo(block.info) === undefined) continue;
    const isText = block.kind === 'line' || (block.isIndented === true && !pairing.isAtSample);
    if (!isText) pairing.addCode(block);
    else for (const line of block.text.split('\n')) pairing.addLine(line.trim());
  }
  return pairing.finish();
}

interface Side {
  text: string;
  label: SampleLabel;
}

/** At most this number of inputs can wait for an output, which limits the search for a matching input. */
const maxPendingInputs = 100;

/** At most this number of labels before a block are compared, because each line of text changes all of them. */
const maxLabels = 20;

class Pairing {
  readonly #samples: SamplePair[] = [];
  /**
   * Contains the samples without titles. If other samples have titles, these blocks may be a description of the input
   * format.
   */
  readonly #untitled = new Set<SamplePair>();
  #hasPairs = false;
  /** Contains the inputs that have no output yet. */
  readonly #inputs: Side[] = [];
  /** The labels since the last block. If text follows a label, it is the title of a section on the format. */
  #labels: { label: SampleLabel; isDirect: boolean }[] = [];
  /** True inside an example without preformatted blocks: LeetCode writes "Input: …" and "Output: …" as paragraphs. */
  #isInExample = false;
  /** True after the title of an example. Code below "Input" before it may describe the format of the input. */
  #isAfterExample = false;
  #values: Partial<Record<SampleLabel['role'], string>> = {};
  #current: SampleLabel['role'] | undefined;

  /** Returns whether the last label names a sample, so that indented text below it is code. */
  get isAtSample(): boolean {
    return this.#isAfterExample || this.#labels.at(-1)?.label.isSample === true;
  }

  addLine(line: string): void {
    if (isButtonText(line)) return;
    // Inside an example, "Output: 1" is a value. Elsewhere, the same line is the title of the first output.
    const isValue = this.#isInExample && (findLabeledValue(line)?.value ?? '') !== '';
    const label = isValue ? undefined : findSampleLabel(line);
    if (label !== undefined) {
      this.#addLabel(label, /[:：][\s*_]*$/.test(line) && !this.#isSectionTitle(line));
      return;
    }
    for (const entry of this.#labels) entry.isDirect = false;
    if (this.#isInExample) this.#addValue(line);
  }

  addCode({ text, info }: SampleBlock): void {
    const labels = this.#labels;
    this.#labels = [];
    if (this.#isInExample && this.#values.input) {
      this.#addValue(withoutOuterLines(text));
      return;
    }
    const role = roleOfInfo(info) ?? roleOf(labels);
    if (role !== undefined) {
      this.#addSide({ text, label: role });
      // If the page shows a sample as a table, the titles of input and output come before both blocks.
      const next = labels.at(-1);
      if (role.role === 'input' && next?.label.role === 'output') this.#labels = [next];
      return;
    }
    const isExample =
      labels.some(({ label }) => label.role === 'example') || findSampleLabel(firstLine(text))?.role === 'example';
    const found = samplesInBlock(text);
    this.#samples.push(...found);
    if (!isExample) for (const sample of found) this.#untitled.add(sample);
  }

  finish(): SamplePair[] {
    this.#endExample();
    return this.#hasPairs ? this.#samples.filter(sample => !this.#untitled.has(sample)) : this.#samples;
  }

  /** Returns whether a Markdown heading such as "### Input:" ends the text of an example that has no input. */
  #isSectionTitle(line: string): boolean {
    const isBelowTitle = this.#labels.some(({ label, isDirect }) => label.role === 'example' && isDirect);
    return line.startsWith('#') && !isBelowTitle && this.#values.input === undefined;
  }

  #addLabel(label: SampleLabel, hasColon: boolean): void {
    const isNamedSide = label.isSample && (label.role === 'input' || label.role === 'output');
    if (label.role === 'example' || label.role === 'end' || isNamedSide) {
      this.#endExample();
      this.#isInExample = label.role === 'example';
      this.#isAfterExample ||= this.#isInExample;
    } else if (this.#isInExample && isPlain(label) && hasColon) {
      if (label.role === 'input' && this.#values.input !== undefined) this.#endExample();
      this.#isInExample = true;
      this.#current = label.role;
      this.#values[label.role] = '';
    }
    this.#labels.push({ label, isDirect: true });
    if (this.#labels.length > maxLabels) this.#labels.shift();
  }

  #addSide(side: Side): void {
    // The text after a block is not the value of the label before the block.
    this.#values = {};
    this.#current = undefined;
    if (side.label.role === 'input') {
      // An "Input" without a number that no output follows is a description of the input format, not a sample.
      if (isPlain(this.#inputs.at(-1)?.label)) this.#inputs.pop();
      this.#inputs.push(side);
      if (this.#inputs.length > maxPendingInputs) this.#inputs.shift();
      return;
    }
    const { number } = side.label;
    const byNumber = this.#inputs.findIndex(({ label }) => number !== undefined && label.number === number);
    const at = byNumber === -1 ? this.#inputs.findIndex(({ label }) => canPair(label, side.label)) : byNumber;
    const [input] = at === -1 ? [] : this.#inputs.splice(at, 1);
    if (input === undefined || (isPlain(input.label) && !this.#isAfterExample && isFormat(input.text))) return;
    this.#hasPairs = true;
    this.#samples.push({ input: input.text, output: side.text });
  }

  #addValue(line: string): void {
    const { label, value } = findLabeledValue(line) ?? {};
    if (label !== undefined) {
      if (label.role === 'input' && this.#values.input !== undefined) this.#endExample();
      this.#isInExample = true;
      this.#current = label.role;
      this.#values[label.role] = value ?? '';
    } else if (this.#current === 'input' || this.#current === 'explanation') {
      this.#values[this.#current] = withoutOuterLines(`${this.#values[this.#current] ?? ''}\n${line}`);
    } else if (this.#current !== undefined) {
      this.#values[this.#current] ||= line;
    }
  }

  #endExample(): void {
    const { input, output, explanation } = this.#values;
    this.#values = {};
    this.#current = undefined;
    this.#isInExample = false;
    if (input === undefined || output === undefined || output === '') return;
    this.#samples.push({ input, output, ...(explanation !== undefined && { explanation }) });
  }
}

/** Returns the label in the info string of a fence, such as "input1" or "output1|". */
function roleOfInfo(info: string): SampleLabel | undefined {
  const [, role, number] = sampleInfoStringPattern.exec(info) ?? [];
  return role === 'input' || role === 'output' ? { role, isSample: true, number } : undefined;
}

/** Matches a variable such as `A_1` or `N`, or an ellipsis. A description of the format consists of these. */
const formatToken = /^(?:[A-Z]|[A-Za-z]+_\{?[\w+\-*]+\}?|\.{2,}|[…⋮:]|\\[cdlv]?dots)$/;

/** Returns whether a block describes the input format, as in `N A_1 … A_N`, and is no input. */
function isFormat(text: string): boolean {
  return text
    .trim()
    .split(/\s+/)
    .every(token => formatToken.test(token.replace(/^\$|\$$/g, '')));
}

/** Returns whether a label such as "Input" may be the title of a section of the statement. */
function isPlain(label: SampleLabel | undefined): boolean {
  return label !== undefined && !label.isSample && label.number === undefined;
}

/**
 * Returns whether an input and an output with these labels can form a sample. The caller has checked that no input has
 * the number of the output.
 */
function canPair(input: SampleLabel, output: SampleLabel): boolean {
  const haveNumbers = input.number !== undefined && output.number !== undefined;
  return !haveNumbers && isPlain(input) === isPlain(output);
}

function roleOf(labels: readonly { label: SampleLabel; isDirect: boolean }[]): SampleLabel | undefined {
  const sides = labels.filter(({ label }) => label.role === 'input' || label.role === 'output');
  const [before, last] = [sides.at(-2), sides.at(-1)];
  if (last === undefined || (!last.label.isSample && !last.isDirect)) return undefined;
  const isTable = last.label.role === 'output' && before?.label.role === 'input' && before.isDirect;
  return isTable ? before.label : last.label;
}

type Values = Partial<Record<SampleLabel['role'], string[]>>;

/** Splits a line that begins with a label into the label and the text after it. */
interface LabelledLine {
  role: SampleLabel['role'];
  value: string;
}

/**
 * Parses a block that contains input and output: "Input: …" lines as on LeetCode, or title lines in the form in which
 * oj-api-rs stores the samples of Codeforces.
 */
function samplesInBlock(text: string): SamplePair[] {
  const examples: Values[] = [{}];
  let current: keyof Values | undefined;
  for (const line of text.split('\n')) {
    const start = startOf(line, current !== undefined);
    if (start === undefined) {
      if (current === undefined && line.trim() !== '') return [];
      if (current !== undefined) examples.at(-1)?.[current]?.push(line);
      continue;
    }
    if (start.role === 'input') examples.push({});
    current = addLabel(examples.at(-1) ?? {}, start);
  }
  return examples.flatMap(sampleOf);
}

/** Adds the value after a label. Returns the role of the lines that follow, or undefined after the label of an example. */
function addLabel(values: Values, { role, value }: LabelledLine): keyof Values | undefined {
  if (role === 'example') return undefined;
  // Some statements label the explanation as a second output.
  const isSecond = (role === 'output' || role === 'explanation') && values[role] !== undefined;
  const target = isSecond ? 'explanation' : role;
  const before = isSecond ? (values.explanation ?? []) : [];
  values[target] = value === '' ? before : [...before, value];
  return target;
}

/** Matches an explanation whose label has no colon, because the label is bold on the page. */
const bareExplanation = /^\s*解[释釋](?=\S)(.*)$/;

/**
 * Returns the label at the start of a line and the rest of the line. The title of an example is accepted only before
 * its input.
 */
function startOf(line: string, isInExample: boolean): LabelledLine | undefined {
  const { label, value } = findLabeledValue(line) ?? { label: findSampleLabel(line), value: '' };
  if (label === undefined) {
    const [, explanation] = (isInExample && bareExplanation.exec(line)) || [];
    return explanation === undefined ? undefined : { role: 'explanation', value: explanation };
  }
  return label.role === 'example' && isInExample ? undefined : { role: label.role, value };
}

function sampleOf({ input, output, explanation }: Values): SamplePair[] {
  if (input === undefined || output === undefined) return [];
  const sample = { input: joined(input), output: joined(output) };
  return [explanation === undefined ? sample : { ...sample, explanation: joined(explanation) }];
}

function firstLine(text: string): string {
  const [line = ''] = text.trimStart().split('\n', 1);
  return line;
}

/** Joins the lines of a value. The first line keeps its indentation. */
function joined(lines: readonly string[]): string {
  return withoutOuterLines(lines.join('\n'));
}

/** Removes empty lines before a text and white space after it. */
function withoutOuterLines(text: string): string {
  return text.slice(/^(?:[^\S\n]*\n)*/.exec(text)?.[0].length).trimEnd();
}
