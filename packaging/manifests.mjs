// The manifests of all packages. The URL above each function documents the format.

/** Returns the package.json of the published package. */
export function npmManifest({ version, description, license, engines }, { owner, repository }) {
  return {
    name: 'oj-mcp',
    version,
    description,
    license,
    type: 'commonjs',
    keywords,
    mcpName: registryName(owner),
    repository: { type: 'git', url: `git+https://github.com/${repository}.git` },
    homepage: `https://github.com/${repository}#readme`,
    bugs: `https://github.com/${repository}/issues`,
    bin: { 'oj-mcp': 'dist/oj-mcp.cjs' },
    files: ['dist', 'docs', 'CHANGELOG.md'],
    engines,
  };
}

const keywords = ['mcp', 'mcp-server', 'model-context-protocol', 'online-judge', 'leetcode', 'codeforces', 'atcoder'];

/** Returns the name in the registry. The registry compares it with `mcpName` of the npm package. */
function registryName(owner) {
  return `io.github.${owner}/oj-mcp`;
}

/** The settings that a user can change in every type of package, as environment variables. */
const settings = [
  {
    variable: 'OJ_MCP_BASE_URL',
    key: 'base_url',
    title: 'Backend',
    type: 'string',
    description: 'Address of an oj-api-rs, such as https://judge.example',
    placeholder: 'https://judge.example',
  },
  {
    variable: 'OJ_MCP_TOKEN',
    key: 'token',
    title: 'Token',
    type: 'string',
    description: 'Token of the backend',
    isSecret: true,
  },
  {
    variable: 'OJ_MCP_DEMO',
    key: 'demo',
    title: 'Sample problems',
    type: 'boolean',
    description: 'Serve built-in problems without a backend',
    standard: false,
  },
  {
    variable: 'OJ_MCP_TOOLSETS',
    key: 'toolsets',
    title: 'Toolsets',
    type: 'string',
    description: 'Names separated by commas: oj, books, clerk, files; or all',
    standard: 'oj',
  },
  {
    variable: 'OJ_MCP_BOOKS_ROOT',
    key: 'books_root',
    title: 'Book library',
    type: 'directory',
    description: 'Folder of the library, for the toolset books',
  },
  {
    variable: 'OJ_MCP_FILES_ROOT',
    key: 'files_root',
    title: 'Folder to search',
    type: 'directory',
    description: 'Folder that may be searched with its subfolders, for the toolset files',
  },
];

/** https://github.com/anthropics/mcpb/blob/main/MANIFEST.md, version 0.4. An empty setting arrives as `${user_config.…}`. */
export function mcpbManifest({ version, description, license, engines }, { owner, repository }, tools) {
  return {
    manifest_version: '0.4',
    name: 'oj-mcp',
    display_name: 'Online-judge problems',
    version,
    description,
    long_description:
      "Today's challenge, any problem by id or link, similar problems, and which platforms there are, with exponents, samples and tables intact. Three more toolsets are in it: books, clerk, files.",
    author: { name: owner, url: `https://github.com/${owner}` },
    repository: { type: 'git', url: `https://github.com/${repository}` },
    license,
    keywords,
    server: {
      type: 'node',
      entry_point: 'server/oj-mcp.cjs',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/server/oj-mcp.cjs'],
        env: Object.fromEntries(settings.map(({ variable, key }) => [variable, `\${user_config.${key}}`])),
      },
    },
    tools: tools.map(({ name, description: text }) => ({ name, description: text })),
    // The value is true, because other toolsets add tools.
    tools_generated: true,
    user_config: Object.fromEntries(
      settings.map(({ key, title, type, description: text, isSecret, standard }) => [
        key,
        {
          type,
          title,
          description: text,
          required: false,
          ...(isSecret && { sensitive: true }),
          ...(standard !== undefined && { default: standard }),
        },
      ]),
    ),
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: engines.node } },
  };
}

/** https://github.com/modelcontextprotocol/registry, schema of 2025-12-11; `sha256` is that of the .mcpb. */
export function serverJson({ version, description }, { owner, repository }, sha256) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: registryName(owner),
    title: 'oj-mcp',
    description,
    version,
    repository: { url: `https://github.com/${repository}`, source: 'github' },
    packages: [
      {
        registryType: 'npm',
        identifier: 'oj-mcp',
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        environmentVariables: settings.map(
          ({ variable, type, description: text, isSecret, placeholder, standard }) => ({
            name: variable,
            description: text,
            format: type === 'boolean' ? 'boolean' : type === 'directory' ? 'filepath' : 'string',
            isRequired: false,
            ...(isSecret && { isSecret }),
            ...(placeholder && { placeholder }),
            ...(standard !== undefined && { default: String(standard) }),
          }),
        ),
      },
      {
        registryType: 'mcpb',
        identifier: `https://github.com/${repository}/releases/download/v${version}/oj-mcp-${version}.mcpb`,
        fileSha256: sha256,
        transport: { type: 'stdio' },
      },
    ],
  };
}

/** https://code.claude.com/docs/en/plugins-reference */
export function claudePlugin({ version, description, license }, { owner, repository }) {
  return {
    name: 'oj-mcp',
    version,
    description,
    author: { name: owner },
    repository: `https://github.com/${repository}`,
    license,
    mcpServers: {
      oj: {
        command: 'node',
        args: ['${CLAUDE_PLUGIN_ROOT}/dist/oj-mcp.cjs'],
        env: Object.fromEntries(settings.map(({ variable }) => [variable, `\${${variable}:-}`])),
      },
    },
  };
}

export function claudeMarketplace({ description }, { owner }) {
  return {
    name: 'oj-mcp',
    description,
    owner: { name: owner },
    plugins: [{ name: 'oj-mcp', source: './', description }],
  };
}

/** https://geminicli.com/docs/extensions/reference */
export function geminiExtension({ version, description }) {
  return {
    name: 'oj-mcp',
    version,
    description,
    mcpServers: {
      oj: {
        command: 'node',
        args: ['${extensionPath}${/}dist${/}oj-mcp.cjs'],
        env: Object.fromEntries(settings.map(({ variable }) => [variable, `$${variable}`])),
      },
    },
  };
}
