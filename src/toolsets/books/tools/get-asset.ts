import * as v from 'valibot';
import { defineTool } from '../../../toolset.ts';
import { type Door, perform } from '../io/book-tool.ts';
import { describeAsset, findAsset } from '../io/store/assets.ts';
import type { Entry } from '../io/store/storage.ts';
import { AssetFileName, AssetTypeName, BookId, Switch } from '../model/arguments.ts';
import { assetNames, safeAssetName } from '../model/asset.ts';
import { assetFields } from '../model/asset-schema.ts';
import { bookKey } from '../model/key.ts';
import { assetHome } from '../model/path.ts';
import { refusal } from '../model/refusal.ts';
import { objectAnswer } from '../text.ts';

/** As base64, and twice in an answer, more than this does not get through. */
const maxBinaryBytes = 3.5 * 1024 * 1024;

export const getAsset = defineTool({
  name: 'get_asset',
  title: 'Get asset',
  description:
    'Returns the address, size, type and date of one asset, and with include_binary its bytes in base64, up to 3.5 MiB. The name is the one list_assets gives, or the one it was uploaded under; one with folders in it is meant as it stands.',
  input: v.strictObject({
    book_id: BookId,
    asset_type: AssetTypeName,
    filename: AssetFileName,
    include_binary: v.optional(Switch, false),
  }),
  output: v.strictObject({ ...assetFields, binary_data: v.optional(v.string()) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async handler({ book_id: book, asset_type, filename, include_binary }, door: Door, call) {
    const path = `static/${assetHome(asset_type)}/${safeAssetName(filename) ?? filename}`;
    const task = { operation: 'get_asset', book, path, given: filename };
    return await perform(door, call, task, async library => {
      for (const name of assetNames(filename)) {
        const entry = await findAsset(library.storage, book, asset_type, name);
        if (entry === undefined) continue;
        const about = { path: entry.key.slice(bookKey(book).length + 1) };
        const facts = await describeAsset(library, book, entry);
        if (!include_binary) {
          const seen = entry.size <= maxBinaryBytes ? await library.storage.hash(entry.key) : undefined;
          return { ...about, seen, answer: objectAnswer(facts) };
        }
        if (entry.size > maxBinaryBytes) throw tooLarge(entry);
        const stored = await library.storage.read(entry.key, maxBinaryBytes);
        if (stored === undefined) continue;
        const file = { file_size: stored.bytes.length, binary_data: stored.bytes.toString('base64') };
        return { ...about, seen: stored.hash, answer: objectAnswer({ ...facts, ...file }) };
      }
      const stored = filename.includes('/') ? safeAssetName(filename) : undefined;
      throw refusal('ContentNotFoundError', `There is no asset ${JSON.stringify(filename)} of this type in ${book}.`, {
        suggestion: `list_assets shows what there is.${stored === undefined ? '' : ` Uploaded under this name it is called ${stored}.`}`,
      });
    });
  },
});

function tooLarge({ key, size }: Entry): Error {
  return refusal('AssetTooLargeError', `${key} has ${size} bytes, too many for an answer.`, {
    suggestion: 'Fetch it by its cdn_url.',
  });
}
