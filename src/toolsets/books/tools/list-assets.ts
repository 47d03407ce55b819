import * as v from 'valibot';
import { defineTool } from '../../../toolset.ts';
import { describeAsset } from '../io/assets.ts';
import { type Door, perform } from '../io/perform.ts';
import { AssetTypeName, BookId } from '../model/arguments.ts';
import { assetFields } from '../model/asset-schema.ts';
import { bookKey } from '../model/key.ts';
import { assetDirectories, assetHome, assetTypes } from '../model/path.ts';
import { listAnswer } from '../text.ts';

export const listAssets = defineTool({
  name: 'list_assets',
  title: 'List assets',
  description:
    'Returns all assets of a book, or those of one type, with address, size, type and date; by type, then by name. Files in folders below are included: their filename has the folder in it.',
  input: v.strictObject({ book_id: BookId, asset_type: v.optional(AssetTypeName) }),
  output: v.strictObject({ result: v.array(v.strictObject(assetFields)) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async handler({ book_id: book, asset_type }, door: Door, call) {
    return await perform(door, call, { operation: 'list_assets', book }, async library => {
      const homes = assetTypes.filter(type => assetHome(type) === type);
      const wanted = asset_type === undefined ? homes : [assetHome(asset_type)];
      const assets: Record<string, unknown>[] = [];
      for (const directory of [...wanted].sort().flatMap(assetDirectories)) {
        for (const entry of (await library.storage.list(`${bookKey(book)}/static/${directory}`)) ?? []) {
          call.signal.throwIfAborted();
          if (entry.kind === 'file') assets.push(await describeAsset(library, book, entry));
        }
      }
      return { answer: listAnswer(assets) };
    });
  },
});
