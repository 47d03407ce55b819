import { type Generator, pieces } from '../../support/generator.ts';

/** Returns a statement with titles and blocks of samples. */
export function sampleStatement(random: Generator): string {
  const titles = pieces(
    'Input¦Output¦Sample Input 1¦Sample Output 1¦Example¦Examples¦输入¦输出¦样例输入¦样例输出¦入力例 1¦出力例 1¦Sample Input #2',
    'Explanation¦Note¦Input:¦**Output:**¦Constraints¦Beispiel¦Sample 1¦Sample Input¦Sample Output¦Input Format',
    'Output Format¦예제 입력 1¦예제 출력 1¦stdin¦stdout',
  );
  const values = pieces('3\n1 2 3¦5¦¦abc¦-1\n¦ 1\n  2 ¦```¦YES¦4 4\n....\n.##.¦Input¦a\n\nb');
  const fence = () => `\`\`\`${random.pick(['', '', 'input1', 'output1', 'text'])}\n${random.pick(values)}\n\`\`\``;
  const chunk = (): string => {
    const title = random.pick(titles);
    const shown = random.pick([
      `### ${title}`,
      `**${title}**`,
      title,
      `## ${title} ##`,
      `${title}: ${random.pick(values)}`,
      `> ${title}`,
    ]);
    return `${shown}\n\n${random.pick([fence(), `<pre>${random.pick(values)}</pre>`, `<pre><code>${random.pick(values)}<br>7</code></pre>`, `<div>${random.pick(values)}</div>`, `- ${fence().replaceAll('\n', '\n  ')}`, `| in | out |\n|---|---|\n| 1 | 2 |`, fence(), fence(), random.pick(values), `    ${random.pick(values)}`, 'The number $n$.'])}`;
  };
  const cell = (title: string) => `${title}\n\n${fence()}`;
  const pair = () =>
    `${cell(random.pick(['Sample Input 1', 'Input', '样例输入']))}\n\n${cell(random.pick(['Sample Output 1', 'Output', '样例输出']))}`;
  const example = () =>
    random.repeat(
      2,
      6,
      () => {
        const label = random.pick(
          pieces('Input:¦Output:¦Explanation:¦输入：¦输出：¦解释：¦Input¦Output:¦Note:¦Example 2:'),
        );
        const value = random.pick(
          pieces('nums = [2,7]¦[0,1]¦¦because 1 + 1 = 2¦"a"¦```\n1\n```¦<pre>2</pre>¦Output: 3¦- item'),
        );
        return random.pick([
          `**${label}** ${value}`,
          `${label} ${value}`,
          value,
          `${label}\n\n${value}`,
          `**${label}**\n${value}`,
        ]);
      },
      random.pick(['\n', '\n\n']),
    );
  const title = () =>
    random.pick(pieces('**Example 1:**¦Example 1:¦### Example 1¦**示例 1：**¦<strong>Example 1:</strong>'));
  const part = () => {
    const chance = random.below(4);
    if (chance === 0) return `${title()}\n\n${example()}`;
    return chance === 1 ? pair() : chunk();
  };
  return `# T\n\n${random.repeat(1, 5, part, '\n\n')}`;
}
