// The README of a release: what only whoever owns the name on npm may say. In the repository it is not said, because until
// the name is owned somebody else could be behind `npx`.
import path from 'node:path';
import * as esbuild from 'esbuild';

const marker = '<!-- npm -->\n';

const start = {
  command: 'npx',
  args: ['-y', 'oj-mcp', '--base-url', 'https://judge.example'],
  env: { OJ_MCP_TOKEN: 'your-token' },
  secrets: ['OJ_MCP_TOKEN'],
};

export async function releaseReadme(readme, root) {
  if (readme.split(marker).length !== 2) throw new Error(`README.md needs one line ${marker.trim()}`);
  const { hosts } = await importTypeScript(path.join(root, 'src/cli/host-config/hosts.ts'));
  return readme.replace(marker, () => npmSection(hosts));
}

/** One click each. What is encoded is the paste of the host. */
export function installLinks(hosts) {
  const { inputs, servers } = JSON.parse(hosts.vscode.paste(start, 'linux'));
  const { mcpServers } = JSON.parse(hosts.cursor.paste(start, 'linux'));
  const word = value => encodeURIComponent(JSON.stringify(value));
  const base64 = encodeURIComponent(Buffer.from(JSON.stringify(mcpServers.oj)).toString('base64'));
  return {
    'VS Code': `https://vscode.dev/redirect/mcp/install?name=oj&config=${word(servers.oj)}&inputs=${word(inputs)}`,
    Cursor: `https://cursor.com/install-mcp?name=oj&config=${base64}`,
    'LM Studio': `https://lmstudio.ai/install-mcp?name=oj&config=${base64}`,
  };
}

function npmSection(hosts) {
  const badges = Object.entries(installLinks(hosts)).map(
    ([title, link]) =>
      `[![Add to ${title}](https://img.shields.io/badge/${encodeURIComponent(title)}-add-blue)](${link})`,
  );
  return `Or without a file, by npm:

\`\`\`sh
npx -y oj-mcp --demo
${hosts.claude.paste(start, 'linux')}
\`\`\`

${badges.join('\n')}
`;
}

export async function importTypeScript(file) {
  const { outputFiles } = await esbuild.build({ entryPoints: [file], bundle: true, format: 'esm', write: false });
  return await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
