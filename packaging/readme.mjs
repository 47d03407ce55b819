// Writes the README of a release. The repository does not know its own address and does not own the name on npm, so
// that its README contains no `curl` and no `npx` line. Such a name could belong to another party.
import path from 'node:path';
import * as esbuild from 'esbuild';

const npmMarker = '<!-- npm -->\n';
const downloadBlock = /<!-- download -->\n.*?<!-- \/download -->\n/gs;

const start = {
  command: 'npx',
  args: ['-y', 'oj-mcp', '--base-url', 'https://judge.example'],
  env: { OJ_MCP_TOKEN: 'your-token' },
  secrets: ['OJ_MCP_TOKEN'],
};

/** Replaces the markers by the download address of the release and the commands for npm. */
export async function releaseReadme(readme, { repository, version }, root) {
  if (readme.split(npmMarker).length !== 2) throw new Error(`README.md needs one line ${npmMarker.trim()}`);
  if (readme.match(downloadBlock)?.length !== 1) throw new Error('README.md needs one block <!-- download -->');
  const { mcpHosts: hosts } = await importTypeScript(path.join(root, 'src/cli/host-config/hosts.ts'));
  const address = `https://github.com/${repository}/releases/download/v${version}/oj-mcp.cjs`;
  return readme.replace(downloadBlock, () => downloadSection(address)).replace(npmMarker, () => npmSection(hosts));
}

function downloadSection(address) {
  return `Download the file, on Linux and macOS with the first line, in Windows PowerShell with the second:

\`\`\`sh
curl -fLO ${address}
\`\`\`

\`\`\`powershell
Invoke-WebRequest ${address} -OutFile oj-mcp.cjs
\`\`\`
`;
}

/** Returns links that install the server with one click. They encode the configuration that `--print-config` prints. */
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
  return `
Without a download, with npm:

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
