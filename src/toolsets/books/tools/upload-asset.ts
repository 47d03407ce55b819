import * as v from 'valibot';
import { loose } from '../../../argument.ts';
import { defineTool } from '../../../toolset.ts';
import { type Done, type Door, perform } from '../io/book-tool.ts';
import { assetUrl, findAsset } from '../io/store/assets.ts';
import type { Storage } from '../io/store/storage.ts';
import { AssetFileName, AssetTypeName, BookId, requireAgent } from '../model/arguments.ts';
import { assetName, decodeBase64, mimeTypeOf, safeAssetName } from '../model/asset.ts';
import { bookKey, keyOf } from '../model/key.ts';
import { type AssetType, assetDirectories, assetHome } from '../model/path.ts';
import { refusal } from '../model/refusal.ts';
import { maxUploadBytes } from '../settings.ts';
import { objectAnswer } from '../text.ts';

const minPresignedBytes = 10_485_760;
const maxPresignedBytes = 104_857_600;

const Stored = v.strictObject({
  status: v.picklist(['success', 'skipped']),
  method: v.literal('direct'),
  cdn_url: v.string(),
  file_size: v.number(),
  mime_type: v.string(),
  path: v.string(),
  filename: v.string(),
  file_hash_sha256: v.string(),
  message: v.optional(v.string()),
});

type Stored = v.InferInput<typeof Stored>;

export const uploadAsset = defineTool({
  name: 'upload_asset',
  title: 'Upload asset',
  description:
    "Stores a picture, slide deck, video or sound of a book, given as base64, and returns its address and the name it was stored under: spaces become hyphens, and characters that are unsafe somewhere are dropped. An asset of that name is replaced; the same bytes again are skipped. Files of 10 MiB and more, unless the user allows them, go into the library's folder by hand.",
  input: v.strictObject({
    book_id: BookId,
    asset_type: AssetTypeName,
    filename: AssetFileName,
    binary_data: v.optional(v.pipe(v.string(), v.description('Base64 with padding; line breaks may be in it'))),
    file_size: v.optional(
      v.pipe(
        v.number(),
        loose(),
        v.integer('must be a whole number'),
        v.minValue(minPresignedBytes, `must be ${minPresignedBytes} or more`),
        v.maxValue(maxPresignedBytes, `must be ${maxPresignedBytes} or less`),
        v.description('Asks for an address to upload a large file to, which a library in folders does not have'),
      ),
    ),
  }),
  output: Stored,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  async handler({ book_id: book, asset_type, filename, binary_data, file_size }, door: Door, call) {
    const path = `static/${assetHome(asset_type)}/${safeAssetName(filename) ?? filename}`;
    const task = { operation: 'upload_asset', book, path, given: filename };
    return await perform(door, call, task, async ({ storage, settings, hashOf }, name): Promise<Done<Stored>> => {
      const agent = requireAgent(name);
      const stored = assetName(filename);
      if (binary_data === undefined) throw missingData(file_size);
      const bytes = decodeBase64(binary_data);
      if (bytes.length >= settings.maxUploadBytes) throw tooLarge(bytes.length, settings.maxUploadBytes);
      const hash = hashOf(bytes);
      const key = keyOf({ book, path, user: undefined });
      const shown = (await findAsset(storage, book, asset_type, stored))?.key ?? key;
      const facts = {
        file_size: bytes.length,
        mime_type: mimeTypeOf(stored),
        filename: stored,
        file_hash_sha256: hash,
      };
      if ((await storage.hash(shown)) === hash) {
        const message = 'The library has exactly these bytes under this name already.';
        const at = { cdn_url: assetUrl(shown, storage, settings), path: shown };
        const answer = objectAnswer({ status: 'skipped', method: 'direct', ...at, ...facts, message });
        return { path: shown.slice(bookKey(book).length + 1), seen: hash, status: 'skipped', answer };
      }
      // Looked for before: a change that was made must not end in an error.
      const hidden = await namesakes(storage, book, asset_type, stored);
      await storage.writeIf(
        { book, path, user: undefined },
        bytes,
        { kind: 'any' },
        { agent, operation: 'upload_asset' },
      );
      return {
        isJournalled: true,
        answer: objectAnswer({
          status: 'success',
          method: 'direct',
          cdn_url: assetUrl(key, storage, settings),
          path: key,
          ...facts,
          ...(hidden.length > 0 && { message: `${hidden.join(', ')} is still there and no longer shown.` }),
        }),
      };
    });
  },
});

/** Files of this name in the folders an asset of the type is also read from. */
async function namesakes(storage: Storage, book: string, type: AssetType, name: string): Promise<string[]> {
  const paths = assetDirectories(type)
    .slice(1)
    .map(directory => `static/${directory}/${name}`);
  const entries = (await storage.list(`${bookKey(book)}/static`)) ?? [];
  const files = new Set(entries.filter(({ kind }) => kind === 'file').map(({ key }) => key));
  return paths.filter(path => files.has(`${bookKey(book)}/${path}`));
}

function missingData(fileSize: number | undefined): Error {
  if (fileSize === undefined) return refusal('ValidationError', '"binary_data" is required.');
  return refusal('UnsupportedOperationError', 'A library in folders gives out no addresses to upload to.', {
    suggestion: "The user can copy the file into the book's static folder.",
  });
}

function tooLarge(bytes: number, limit: number): Error {
  return refusal('AssetTooLargeError', `The file has ${bytes} bytes; uploads must be smaller than ${limit}.`, {
    suggestion: `The user can copy the file into the book's static folder${limit < maxUploadBytes ? ', or raise --books-max-upload-mb' : ''}.`,
  });
}
