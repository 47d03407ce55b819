import * as v from 'valibot';
import { describeAsset } from '../answer/asset.ts';
import { createObjectResult, maxResultSizeMetadata } from '../answer/page.ts';
import { findAsset } from '../library/book-assets.ts';
import { defineBookTool } from '../library/book-tool.ts';
import { AssetFileName, AssetTypeName, BookId, BooleanArgument } from '../model/arguments.ts';
import { assetNameOfKey, assetResultFields, createSafeAssetName, listPossibleAssetNames } from '../model/asset.ts';
import { removeBookPrefixOfKey } from '../model/key.ts';
import { primaryAssetFolderOf } from '../model/path.ts';
import { refusal } from '../model/refusal.ts';
import type { StorageEntry } from '../storage/file-storage.ts';

/**
 * Larger assets are not returned, because a response contains the base64 text twice and would exceed the size limit.
 */
const maxBinaryBytes = 3.5 * 1024 * 1024;

export const getAsset = defineBookTool({
  name: 'get_asset',
  title: 'Get asset',
  description:
    'Returns the address, size, type and date of one asset, and with include_binary its bytes in base64, up to 3.5 MiB. The name is the one list_assets gives, its path, or the one it was uploaded under; one with folders in it is meant as it stands.',
  input: v.strictObject({
    book_id: BookId,
    asset_type: AssetTypeName,
    filename: AssetFileName,
    include_binary: v.optional(BooleanArgument, false),
  }),
  output: v.strictObject({ ...assetResultFields, binary_data: v.optional(v.string()) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  meta: maxResultSizeMetadata,
  about: ({ book_id: book, asset_type, filename }) => {
    const name = assetNameOfKey(book, asset_type, filename);
    return {
      book,
      path: `static/${primaryAssetFolderOf(asset_type)}/${createSafeAssetName(name) ?? name}`,
      given: filename,
    };
  },
  async run({ library, signal }, { book_id: book, asset_type, filename: given, include_binary }) {
    const { files, history, settings, storage } = library;
    const filename = assetNameOfKey(book, asset_type, given);
    for (const name of listPossibleAssetNames(filename)) {
      const entry = await findAsset(files, book, asset_type, name);
      if (entry === undefined) continue;
      const path = removeBookPrefixOfKey(book, entry.key);
      const agent = await (await history.authors(book))({ book, path, user: undefined }, entry);
      const { url } = await library.address(entry.key, { seconds: settings.archiveTtlMs / 1000 });
      const facts = describeAsset(entry, url, agent);
      if (!include_binary) {
        const seen = entry.size <= maxBinaryBytes ? await storage.hash(entry, signal) : undefined;
        return { path, seen, answer: createObjectResult(facts) };
      }
      if (entry.size > maxBinaryBytes) throw tooLarge(entry);
      const stored = await storage.read(entry, maxBinaryBytes, signal);
      if (stored === undefined) continue;
      const file = { file_size: stored.bytes.length, binary_data: stored.bytes.toString('base64') };
      return { path, seen: stored.hash, answer: createObjectResult({ ...facts, ...file }) };
    }
    await files.require(book);
    const stored = filename.includes('/') ? createSafeAssetName(filename) : undefined;
    throw refusal('ContentNotFoundError', `There is no asset ${JSON.stringify(given)} of this type in ${book}.`, {
      suggestion: `list_assets lists the existing assets.${stored === undefined ? '' : ` An upload with this name is stored as ${stored}.`}`,
    });
  },
});

function tooLarge({ key, size }: StorageEntry): Error {
  return refusal('AssetTooLargeError', `${key} has ${size} bytes, which is too much for a result.`, {
    suggestion: 'Download it from its cdn_url.',
  });
}
