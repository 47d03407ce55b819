import * as v from 'valibot';
import { readJson } from '../../../text/json.ts';
import { compareCodePoints } from '../model/key.ts';
import { isMarkdownPage } from './outline.ts';
import { orderOfPages } from './page-order.ts';

const kind = v.picklist(['mdbook', 'docusaurus', 'folder']);

/**
 * The SHA-256 of a file in the library and in a folder after an import or export made them agree. `isDivergent` marks a
 * page whose import would give another text, such as `01-a.md` for `./01-a.md`. `folder` is a part of the hash of the
 * folder's path, because the path itself may be private.
 */
const SyncedState = v.object({
  sha256: v.string(),
  source: v.optional(v.string()),
  isDivergent: v.optional(v.literal(true)),
  folder: v.optional(v.string()),
});
export type SyncedState = v.InferOutput<typeof SyncedState>;

const Manifest = v.strictObject({
  kind,
  /** The order of the pages in each folder that was imported: the pages of each chapter or part. */
  orders: v.array(v.array(v.array(v.string()))),
  /**
   * Maps each library path to the path in the folder, and to the hashes after the last import or export of each folder.
   * `movedFrom` is the former path of a moved lesson. `isNew` marks a file that was exported and never imported.
   * `isGone` marks a file that was deleted in the library and in the folder.
   */
  files: v.record(
    v.string(),
    v.strictObject({
      from: v.string(),
      synced: v.array(SyncedState),
      movedFrom: v.optional(v.string()),
      isNew: v.optional(v.literal(true)),
      isGone: v.optional(v.literal(true)),
    }),
  ),
});
export type ImportManifest = v.InferOutput<typeof Manifest>;
export type ManifestEntry = ImportManifest['files'][string];

/** Parses manifests of former versions of this program, which contain no hashes of the files in the folder. */
const FormerManifest = v.pipe(
  v.strictObject({
    kind,
    files: v.record(
      v.string(),
      v.strictObject({
        from: v.string(),
        sha256: v.string(),
        planned: v.optional(v.string()),
        isNew: v.optional(v.literal(true)),
      }),
    ),
  }),
  v.transform(({ kind: source, files }): ImportManifest => {
    const entries = Object.entries(files);
    const pages = entries.filter(([to, { isNew }]) => isMarkdownPage(to) && isNew === undefined);
    return {
      kind: source,
      orders: [orderOfPages(pages.map(([to, { from, planned = to }]) => ({ from, to: planned })))],
      files: Object.fromEntries(
        entries.map(([to, { sha256, planned, ...entry }]) => [
          to,
          { ...entry, synced: [{ sha256 }], ...(planned !== undefined && { movedFrom: planned }) },
        ]),
      ),
    };
  }),
);

/** Parses the manifest of an import. Returns undefined if it is invalid. The book then counts as never imported. */
export function parseImportManifest(text: string): ImportManifest | undefined {
  const parsed = v.safeParse(v.union([Manifest, FormerManifest]), readJson(text));
  return parsed.success ? parsed.output : undefined;
}

/** Formats a manifest. Its files are sorted, so that equal manifests have equal texts. */
export function formatImportManifest(manifest: ImportManifest): string {
  const files = Object.entries(manifest.files).sort(([one], [other]) => compareCodePoints(one, other));
  return `${JSON.stringify({ ...manifest, files: Object.fromEntries(files) }, null, 1)}\n`;
}
