import * as v from 'valibot';
import { readJson } from '../../../text/json.ts';

const Manifest = v.strictObject({
  kind: v.picklist(['mdbook', 'docusaurus', 'folder']),
  /**
   * Maps each library path to the path in the imported folder and the SHA-256 of the content that the import wrote.
   * `planned` is the path that the import would choose, if the library has another one. `isNew` marks a file that was
   * exported and is not imported yet.
   */
  files: v.record(
    v.string(),
    v.strictObject({
      from: v.string(),
      sha256: v.string(),
      planned: v.optional(v.string()),
      isNew: v.optional(v.literal(true)),
    }),
  ),
});
export type ImportManifest = v.InferOutput<typeof Manifest>;

/** Parses the manifest of an import. Returns undefined if it is invalid; the book then counts as never imported. */
export function parseImportManifest(text: string): ImportManifest | undefined {
  const parsed = v.safeParse(Manifest, readJson(text));
  return parsed.success ? parsed.output : undefined;
}

export function formatImportManifest(manifest: ImportManifest): string {
  return `${JSON.stringify(manifest, null, 1)}\n`;
}
