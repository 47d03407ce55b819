import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../../../src/errors/failure.ts';
import type { FlagValues } from '../../../src/toolset/toolset.ts';
import {
  createSettingsWarnings,
  createStartupNotes,
  type flags,
  listExternalVariables,
  parseSettings,
} from '../../../src/toolsets/books/settings.ts';

type Values = FlagValues<typeof flags>;

const store = 's3://library/course';
const numbers = {
  'books-max-upload-mb': ['0', '1', '11', '12'],
  'books-archive-timeout': ['-1', '0', '3600', '3601'],
  'books-archive-ttl': ['0', '1', '31536000', '31536001'],
  'books-keep-days': ['-1', '0', '3650', '3651'],
  'books-keep-mb': ['-1', '0', '1', '1048576', '1048577'],
  'books-s3-cache-mb': ['-1', '0', '1', '4096', '4097'],
};
const import1 = { 'books-import': '/notes', book: 'graphs' };

const tasks: readonly Values[] = [
  { 'books-import': '/notes', 'books-export': '/notes' },
  { 'books-import': '/notes' },
  { 'books-import': '~ada/notes', book: 'graphs' },
  { 'books-export': '~ada/notes', book: 'graphs' },
  { 'books-overwrite': true },
  { book: 'graphs' },
  { 'books-import': '/notes', book: 'No id' },
  { 'books-export': '/notes', book: 'graphs', 'books-overwrite': true },
  import1,
  { 'books-import': '/my-library', book: 'graphs' },
  { 'books-import': '/my-library/notes', book: 'graphs' },
  { 'books-import': '/', book: 'graphs' },
  { 'books-export': '/', book: 'graphs' },
  { 'books-export': '/my-library/..notes', book: 'graphs' },
  { 'books-import': '/my-library-2', book: 'graphs' },
];

const cases: readonly Values[] = [
  {},
  { 'books-import': '/notes' },
  { 'books-export': '/notes' },
  { 'books-root': '/my-library' },
  { 'books-root': '/my-library', 'books-extras': true },
  ...Object.entries(numbers).flatMap(([flag, values]) =>
    values.map(
      (value): Values => ({
        'books-root': flag.includes('s3') ? store : '/my-library',
        'books-extras': true,
        [flag]: value,
      }),
    ),
  ),
  { 'books-root': '/my-library', 'books-keep-days': '1', 'books-keep-mb': '2', 'books-s3-cache-mb': '3' },
  { 'books-root': '/my-library', 'books-s3-endpoint': 'https://store.example', 'books-s3-insecure': true },
  { 'books-root': store, 'books-verify': true, 'books-agent': ' Ada ' },
  { 'books-root': store, 'books-s3-endpoint': 'http://store.example' },
  { 'books-root': store, 'books-s3-endpoint': 'http://store.example', 'books-s3-insecure': true },
  { 'books-root': store, 'books-s3-endpoint': 'https://store.example:99999' },
  { 'books-root': 's3://x' },
  { 'books-root': 'file:///library' },
  { 'books-root': 'C:\\library' },
  { 'books-root': 'ab:library' },
  { 'books-root': 'https://ann:word@library.example/' },
  { 'books-root': 'library' },
  ...['', 'system', 'SURVEY', 'ada'].map(agent => ({ 'books-root': '/my-library', 'books-agent': agent })),
  ...[
    'https://cdn.example/books//',
    'http://cdn.example',
    'ftp://cdn.example',
    'cdn.example',
    'https://cdn.example:99999',
    'https://ann@cdn.example',
    'https://:word@cdn.example',
    'https://cdn.example?a',
    'https://cdn.example/?',
    'https://cdn.example#a',
    'https://cdn.example/#',
  ].map(url => ({ 'books-root': '/my-library', 'books-cdn-url': url })),
  ...tasks.map((task): Values => ({ 'books-root': '/my-library', ...task })),
  { 'books-root': store, ...import1 },
];

// Other tests of the same process, or the user, may have set these variables.
const variables = ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL', 'AWS_REGION', 'AWS_DEFAULT_REGION'];
const proxyVariables = ['https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY', 'all_proxy', 'ALL_PROXY'];
beforeEach(() => {
  for (const name of [...variables, ...proxyVariables]) vi.stubEnv(name, '');
});
afterEach(() => vi.unstubAllEnvs());

function list(values: Values, isDemo = false): string {
  try {
    const settings = parseSettings(values, { isDemo });
    const texts = [
      createSettingsWarnings(settings),
      createStartupNotes(settings),
      listExternalVariables(settings).length,
    ];
    return `${JSON.stringify(values)}\n    ${JSON.stringify(settings)}\n    ${JSON.stringify(texts)}\n`;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `${JSON.stringify(values)}\n    ${error.code}: ${error.message} ${error.hint ?? ''}\n`;
  }
}

test.skipIf(process.platform === 'win32')(
  'the flags of the toolset have the approved settings, on both sides of each limit',
  async () => {
    const lists = cases.map(values => list(values));
    const demo = [{}, { 'books-root': '/my-library' }, { 'books-root': store, 'books-s3-cache-mb': '1' }];
    lists.push('with --demo\n', ...demo.map(values => list(values, true)));
    const bucket = { 'books-root': store };
    for (const [name, value] of [
      ['AWS_DEFAULT_REGION', 'eu-west-1'],
      ['AWS_REGION', 'eu-west-2'],
      ['AWS_ENDPOINT_URL', 'https://general.example'],
      ['AWS_ENDPOINT_URL_S3', 'https://store.example/'],
      ['AWS_ENDPOINT_URL_S3', 'http://store.example'],
      ['AWS_ENDPOINT_URL_S3', 'https://store.example:70000'],
    ] as const) {
      vi.stubEnv(name, value);
      lists.push(`with ${name}=${value}\n`, list(bucket));
    }
    lists.push(list({ ...bucket, 'books-s3-endpoint': 'https://other.example' }));
    await expect(
      lists.join('').replaceAll(process.cwd(), 'CWD').replaceAll(process.platform, 'PLATFORM'),
    ).toMatchFileSnapshot('approved/settings.txt');
  },
);

test.each([
  ['/my-library', []],
  [store, [expect.stringContaining('HTTPS_PROXY')]],
])('createSettingsWarnings for the library %s reports a proxy that only a bucket client ignores', (root, expected) => {
  vi.stubEnv('HTTPS_PROXY', 'ftp://proxy.example');
  expect(createSettingsWarnings(parseSettings({ 'books-root': root }, { isDemo: false }))).toEqual(expected);
});
