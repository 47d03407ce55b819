// @ts-check
import { createHash } from 'node:crypto';
import { byCodePoint } from './packages.mjs';

/**
 * Returns the bill of materials in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). It has no time stamp and no random
 * serial number, because the same sources must build the same bytes.
 * @param {object} parts
 * @param {{ name: string, version: string, description: string, license: string, devDependencies: Record<string, string> }} parts.manifest
 * @param {Uint8Array} parts.program the built file
 * @param {readonly import('./packages.mjs').BundledPackage[]} parts.packages
 * @param {Record<string, { integrity?: string }>} parts.locked the packages of package-lock.json, by folder
 */
export function sbom({ manifest, program, packages, locked }) {
  const { name, version, description, license, devDependencies } = manifest;
  const root = purl(name, version);
  const refs = new Map(packages.map(entry => [entry.name, purl(entry.name, entry.version)]));
  /** @param {readonly string[]} names */
  const refsOf = names => names.flatMap(dependency => refs.get(dependency) ?? []).sort(byCodePoint);
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        name,
        version,
        description,
        licenses: [licenseOf(license)],
        purl: root,
        hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(program).digest('hex') }],
      },
    },
    components: packages.map(entry => componentOf(entry, locked[entry.folder]?.integrity)),
    dependencies: [
      { ref: root, dependsOn: refsOf(Object.keys(devDependencies)) },
      ...packages.map(entry => ({ ref: purl(entry.name, entry.version), dependsOn: refsOf(entry.dependencies) })),
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * @param {import('./packages.mjs').BundledPackage} entry
 * @param {string | undefined} integrity of the package's archive, as npm verifies it
 */
function componentOf({ name, version, license }, integrity = '') {
  const [, group, baseName = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const [, sha512] = /^sha512-(\S+)$/.exec(integrity) ?? [];
  if (sha512 === undefined) throw new Error(`package-lock.json has no SHA-512 of ${name}`);
  return {
    type: 'library',
    'bom-ref': purl(name, version),
    ...(group !== undefined && { group }),
    name: baseName,
    version,
    licenses: [licenseOf(license)],
    purl: purl(name, version),
    hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }],
  };
}

/**
 * Returns the license in the field for an SPDX identifier or in the one for an SPDX expression.
 * @param {string} license
 */
function licenseOf(license) {
  return / (?:AND|OR|WITH) /.test(license) ? { expression: license } : { license: { id: license } };
}

/**
 * https://github.com/package-url/purl-spec: the `@` of a scope is percent-encoded.
 * @param {string} name
 * @param {string} version
 */
function purl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
