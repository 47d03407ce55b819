// @ts-check
import { readdir, readFile } from 'node:fs/promises';

/**
 * The licence of every package that has bytes in the bundle.
 * @param {readonly string[]} inputs
 */
export async function thirdParty(inputs) {
  const folders = new Set(inputs.flatMap(input => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []));
  const sections = [];
  for (const folder of [...folders].sort((left, right) => (left < right ? -1 : 1))) {
    const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
    const file = (await readdir(folder)).find(entry => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence file`);
    const text = (await readFile(`${folder}/${file}`, 'utf8')).trim().replace(/\r\n/g, '\n');
    sections.push(`## ${name} ${version} (${license})\n\n\`\`\`\`text\n${text}\n\`\`\`\`\n`);
  }
  return `# Software in oj-mcp.cjs\n\nThe file contains parts of these packages.\n\n${sections.join('\n')}`;
}
