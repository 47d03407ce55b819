import { mcpHosts } from '../../../src/cli/host-config/hosts.ts';

/** A command line, and the environment variables with which it runs. `~` is the home folder. */
export interface Command {
  args: string;
  env?: Readonly<Record<string, string>>;
}

const names = Object.keys(mcpHosts);
const backend = '--base-url https://judge.example';
const secretEnv = {
  OJ_MCP_TOKEN: 'secret-token-value',
  HTTPS_PROXY: 'http://ada:word@proxy.example:8080',
  NO_PROXY: 'localhost',
};
const all = '--toolsets all --files-root ~/notes --books-root ~/library --problems ~/problems.jsonl';

const usage = [
  '--help',
  '-h',
  '--version',
  '-V',
  '--print-config',
  '--demo --help',
  '--unknown',
  '--deno',
  '-v',
  '-x',
  'word',
  '--demo word',
  '--demo=1',
  '--base-url',
  `${backend} ${backend}`,
  '--base-url --demo',
  '--check --install cursor',
  '--yes',
  '--install',
  '--check --yes',
  '--install nobody',
  '--print-config Claude-Code',
  '--print-config courser',
  '--uninstall kursor',
  '--toolsets books',
  '--toolsets book',
  '--toolsets ,',
  '--toolsets all',
  '--files-root ~/notes',
  '--base-url nonsense',
  '--base-url http://judge.example/path',
  '--base-url http://judge.example',
  '--token',
  '--oj-language de --demo',
  '--books-export ~/out',
  '--book x --books-import ~/notes',
  '--check --books-import ~/notes --book abc',
  '--files-timeout-ms 0 --toolsets files --files-root ~/notes --check',
  '--print-config cursor --files-root ~/notes',
  '--books-keep-days 3651 --toolsets books --books-root ~/library --check',
  '--print-config cursor --files-root ~/missing --toolsets files',
  '-- demo',
  '--install cursor --toolsets files --files-root ~/missing --yes',
  '--install cursor --toolsets books --yes',
  '--books-archive-ttl 1.5 --toolsets books --books-root ~/library --check',
];

const checks: readonly Command[] = [
  { args: '--check --demo' },
  { args: '--check --demo --toolsets all' },
  { args: `--check ${all}` },
  { args: '--check --toolsets files' },
  { args: '--check --toolsets files --files-root ~/missing' },
  { args: '--check --toolsets books --books-root ~/missing' },
  { args: '--check --toolsets books --books-root ~/library --books-verify' },
  { args: '--check --toolsets books --books-root ~/library --books-s3-endpoint https://s3.example --books-keep-mb 1' },
  { args: '--check --problems ~/missing.jsonl' },
  { args: '--check --problems ~/problems.jsonl --files-root ~/notes --oj-extras' },
  {
    args: '--check --demo',
    env: { OJ_MCP_TOKN: 'x', OJ_MCP_LOG: 'info,loud', OJ_MCP_FILES_ROOT: '/', OJ_MCP_TOKEN: 'your-token' },
  },
  { args: '--check --toolsets clerk', env: { OJ_MCP_DEMO: 'perhaps' } },
  { args: '--check --toolsets clerk', env: { OJ_MCP_DEMO: 'off', OJ_MCP_BOOKS_VERIFY: '1' } },
  { args: '--check', env: { OJ_MCP_TOOLSETS: 'clerk' } },
];

const configurations: readonly Command[] = [
  ...names.flatMap((host): Command[] => [
    { args: `--print-config ${host}` },
    { args: `--print-config ${host} ${all} --oj-extras`, env: { OJ_MCP_LOG: 'debug', OJ_MCP_OJ_LANGUAGE: 'cn' } },
    { args: `--print-config ${host} ${backend}`, env: secretEnv },
  ]),
  { args: `--print-config cursor ${backend} --token-file ~/token`, env: secretEnv },
  { args: `--print-config cursor ${backend} --token inline-secret-value` },
  {
    args: '--print-config cursor --toolsets books --books-root s3://bucket/prefix',
    env: { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret', AWS_PROFILE: 'p', AWS_REGION: 'eu' },
  },
];

const installations = names.flatMap((host): Command[] => [
  { args: `--install ${host} --demo` },
  { args: `--install ${host} --demo --yes` },
  { args: `--install ${host} --demo --yes` },
  { args: `--install ${host} --yes` },
  { args: `--install ${host} ${all} --yes` },
  { args: `--install ${host} --yes` },
  { args: `--install ${host} --problems ~/problems.jsonl --yes`, env: { HTTPS_PROXY: 'http://proxy.example' } },
  { args: `--uninstall ${host}` },
  { args: `--uninstall ${host} --yes` },
  { args: `--uninstall ${host} --yes` },
]);

export const commands: readonly Command[] = [
  ...usage.map(args => ({ args })),
  ...checks,
  ...configurations,
  ...installations,
];
