/** Describes a short line that labels a block, such as "Sample Input 1" or "输出样例". */
export interface SampleLabel {
  role: 'input' | 'output' | 'explanation' | 'example' | 'end';
  /**
   * False for the label "Input" without "sample", because this label is also the title of the section that describes
   * the input format.
   */
  isSample: boolean;
  number: string | undefined;
}

const maxLabelLength = 60;
const markup = /^[\s\u200b#*_>`~【[(-]+|[\s\u200b#*_`~:：】\])-]+$/g;
const numberPattern = /[#＃№]?\s*(\d+|[一二三四五六七八九十])\s*[.)、:：]?$/;

const input = String.raw`inputs?|输入|輸入|入力|입력|входн(?:ые|ых) данн(?:ые|ых)|ввод(?:а)?`;
const output = String.raw`outputs?|输出|輸出|出力|출력|выходн(?:ые|ых) данн(?:ые|ых)|вывод(?:а)?|результат(?:а)?`;
const sample = String.raw`(?:sample|example)s?(?: test(?: ?case)?s?| data)?|样例|範例|范例|示例|例子|예제|예시|пример(?:ы|а)?`;
const explanation = 'expla(?:i)?nations?|(?:input|output) details?|解释|解釋|说明|說明';
/** Labels such as these begin the text after an example. */
const end = 'notes?|constraints?|follow[- ]up|提示|注意|进阶|進階';
const format = '(?:数据|データ| data)?';

/** Each row matches one order of the words in a label: "sample input", "入力例", "输入样例", "입력 예제". */
const patterns: readonly (readonly [pattern: RegExp, role: SampleLabel['role'], isSample: boolean])[] = [
  [
    only(String.raw`(?:${sample}) ?#?\d* ?(?:${input})${format}|(?:${input})${format} ?(?:${sample}|例)`),
    'input',
    true,
  ],
  [
    only(String.raw`(?:${sample}) ?#?\d* ?(?:${output})${format}|(?:${output})${format} ?(?:${sample}|例)`),
    'output',
    true,
  ],
  [only(String.raw`(?:${input})`), 'input', false],
  [only(String.raw`(?:${output})`), 'output', false],
  [only(String.raw`(?:follow[- ]up )?(?:${sample})|例`), 'example', true],
  [only(explanation), 'explanation', false],
  [only(end), 'end', true],
];

function only(words: string): RegExp {
  return new RegExp(`^(?:${words})$`, 'i');
}

/** Returns the label if the line contains nothing else, otherwise undefined. */
export function findSampleLabel(line: string): SampleLabel | undefined {
  if (line.length > maxLabelLength) return undefined;
  const text = line.replace(markup, '').replace(/\s+/g, ' ');
  const number = numberPattern.exec(text)?.[1] ?? /[#＃]?(\d+)/.exec(text)?.[1];
  const words = text.replace(numberPattern, '').replace(markup, '');
  for (const [pattern, role, isSample] of patterns) {
    if (pattern.test(words)) return { role, isSample, number };
  }
  return undefined;
}

/**
 * Markdown marks after the colon belong to the value, unless they close the marks before the label: `**Output:** * *`.
 */
const valuePattern = new RegExp(
  String.raw`^\s*(?:([*_]{1,3})\s*)?(${input}|${output}|${explanation}|${end})[\s*_]*[:：](?:\s*\1)?\s*(.*)$`,
  'is',
);

/** Splits a line such as "Input: n = 3" into its label and its value. */
export function findLabeledValue(line: string): { label: SampleLabel; value: string } | undefined {
  const [, , word = '', value = ''] = valuePattern.exec(line) ?? [];
  const label = word === '' ? undefined : findSampleLabel(word);
  if (label === undefined) return undefined;
  // Some statements repeat the label: "Output: Output: 3".
  const repeated = valuePattern.exec(value);
  return {
    label,
    value: repeated !== null && findSampleLabel(repeated[2] ?? '')?.role === label.role ? (repeated[3] ?? '') : value,
  };
}

/** Returns whether the line is the text of a button next to a title, which is not part of the statement. */
export function isButtonText(line: string): boolean {
  return /^\s*(?:copy|复制|複製|コピー|복사)\s*$/i.test(line);
}
