import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const folder = '.github/workflows';
const workflows = readdirSync(folder).map(name => [name, readFileSync(`${folder}/${name}`, 'utf8')] as const);
const release = readFileSync(`${folder}/release.yml`, 'utf8');

/** Returns the text of one job of the release workflow, without comments. */
function job(name: string): string {
  const jobs = release.replace(/^\s*#.*$/gm, '').split(/^ {2}(?=\w+:$)/m);
  return jobs.find(text => text.startsWith(`${name}:`)) ?? '';
}

const writeAccess = /\b(?:write|write-all)\b/;

describe.each(workflows)('the GitHub workflow %s', (_, text) => {
  test('pins every action to a full commit hash and states its version in a comment', () => {
    const actions = text.match(/^.*\buses:.*$/gm) ?? [];
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('declares read-only permissions and stores no credentials in the checkout', () => {
    expect(text).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)$/m);
    expect(text.match(/persist-credentials: false/g)).toHaveLength(text.match(/actions\/checkout@/g)?.length ?? 0);
  });

  test('runs no install scripts and downloads no program from an unversioned address', () => {
    expect(text).not.toMatch(/npm (?:ci|install)(?! --ignore-scripts)/);
    expect(text).not.toMatch(/\/latest\/|curl[^\n]*\|/);
  });

  test('names only test files that exist, or that belong to a toolset or library that was deleted from the repository', () => {
    const removable = /^test\/(toolsets\/\w+|documents|statement)\b/;
    for (const [file] of text.matchAll(/\btest\/[\w/.-]+/g)) {
      const [, part] = removable.exec(file) ?? [];
      const isDeleted = part !== undefined && !existsSync(`src/${part}`);
      expect(isDeleted || existsSync(file), file).toBe(true);
    }
  });
});

describe('the release workflow', () => {
  test.each(['test', 'build'])('gives the job "%s" no write permission', name => {
    expect(job(name)).toContain('runs-on:');
    expect(job(name)).not.toMatch(writeAccess);
    expect(job(name)).toMatch(/permissions:\n {6}contents: read\n/);
  });

  test('runs neither code of the repository nor a dependency in the job that publishes', () => {
    expect(job('publish')).toContain('id-token: write');
    expect(job('publish')).not.toMatch(/checkout|npm ci|npx|node |\.ci\/|packaging\//);
    expect(job('publish')).toContain('npm publish --ignore-scripts');
  });

  test('publishes files only if the test job and the build job computed the same checksums', () => {
    const publish = job('publish');
    expect(publish).toContain('needs: [test, build]');
    const verification = publish.indexOf('sha256sum --check --strict SHA256SUMS');
    expect(publish.slice(0, verification)).toContain('test "$BUILD_CHECKSUM" = "$TEST_CHECKSUM"');
    for (const command of ['attest-build-provenance', 'gh release', 'npm publish', 'mcp-publisher publish']) {
      expect(publish.indexOf(command), command).toBeGreaterThan(verification);
    }
  });

  test('verifies the checksum of every download before it is used', () => {
    const [, ...downloads] = job('publish').split('curl ');
    expect(downloads).toHaveLength(1);
    for (const download of downloads) {
      expect(download.indexOf('sha256sum --check --strict')).toBeGreaterThan(0);
      expect(download.indexOf('sha256sum --check --strict')).toBeLessThan(download.indexOf('tar '));
    }
  });
});

test('the CI script installs packages without running their scripts and compares dist/ with the build', () => {
  const script = readFileSync('.ci/run', 'utf8');
  expect(script).toContain('npm ci --ignore-scripts');
  expect(script).toContain('git status --porcelain -- dist');
});
