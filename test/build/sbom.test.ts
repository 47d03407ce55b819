import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

/**
 * The schema contains the fields that CycloneDX 1.6 requires and the ones that the build adds. It rejects all others.
 */
const Ref = v.pipe(v.string(), v.regex(/^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@[\w.+-]+$/));
const Licenses = v.pipe(
  v.array(
    v.union([
      v.strictObject({ license: v.strictObject({ id: v.pipe(v.string(), v.regex(/^[\w.+-]+$/)) }) }),
      v.strictObject({ expression: v.string() }),
    ]),
  ),
  v.minLength(1),
);
const hash = (alg: string, hexDigits: number) =>
  v.tuple([
    v.strictObject({
      alg: v.literal(alg),
      content: v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${hexDigits}}$`))),
    }),
  ]);
const Component = v.strictObject({
  type: v.literal('library'),
  'bom-ref': Ref,
  group: v.optional(v.pipe(v.string(), v.regex(/^@/))),
  name: v.string(),
  version: v.string(),
  licenses: Licenses,
  purl: Ref,
  hashes: hash('SHA-512', 128),
});
const Bom = v.strictObject({
  $schema: v.literal('http://cyclonedx.org/schema/bom-1.6.schema.json'),
  bomFormat: v.literal('CycloneDX'),
  specVersion: v.literal('1.6'),
  version: v.literal(1),
  metadata: v.strictObject({
    component: v.strictObject({
      type: v.literal('application'),
      'bom-ref': Ref,
      name: v.literal('oj-mcp'),
      version: v.string(),
      description: v.string(),
      licenses: Licenses,
      purl: Ref,
      hashes: hash('SHA-256', 64),
    }),
  }),
  components: v.pipe(v.array(Component), v.minLength(1)),
  dependencies: v.array(v.strictObject({ ref: Ref, dependsOn: v.array(Ref) })),
});

describe('the SBOM', () => {
  // The strict schema also excludes a time stamp and a serial number, which would differ in each build.
  const bom = v.parse(Bom, JSON.parse(readFileSync('dist/oj-mcp.cdx.json', 'utf8')));
  const { component } = bom.metadata;

  test('contains the hash and version of the built file', () => {
    const content = createHash('sha256').update(readFileSync('dist/oj-mcp.cjs')).digest('hex');
    expect(component.hashes).toEqual([{ alg: 'SHA-256', content }]);
    expect(component.version).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
  });

  test('lists the same packages as THIRD-PARTY.md', () => {
    const headings = readFileSync('dist/THIRD-PARTY.md', 'utf8').matchAll(/^## (\S+) (\S+) \((.+)\)$/gm);
    const names = bom.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
    expect(bom.components.map(({ version }, index) => `${names[index]} ${version}`)).toEqual(
      Array.from(headings, ([, name, version]) => `${name} ${version}`),
    );
  });

  test('has one dependency entry per component, and all its references exist', () => {
    const refs = [component['bom-ref'], ...bom.components.map(entry => entry['bom-ref'])];
    expect(new Set(refs).size).toBe(refs.length);
    expect(bom.dependencies.map(({ ref }) => ref)).toEqual(refs);
    for (const { dependsOn } of bom.dependencies) expect(refs).toEqual(expect.arrayContaining(dependsOn));
  });
});
