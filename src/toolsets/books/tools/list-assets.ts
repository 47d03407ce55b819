import * as v from 'valibot';
import { emptyIsAbsent } from '../../../argument.ts';
import { defineTool } from '../../../toolset.ts';
import { type Door, perform } from '../io/book-tool.ts';
import { assetsOf, describeAsset } from '../io/store/assets.ts';
import { Breath } from '../io/store/breath.ts';
import { AssetTypeName, BookId } from '../model/arguments.ts';
import { type AssetFields, assetFields } from '../model/asset-schema.ts';
import { listAnswer } from '../text.ts';

export const listAssets = defineTool({
  name: 'list_assets',
  title: 'List assets',
  description:
    'Returns all assets of a book, or those of one type, with address, size, type and date; by type, then by name. Files in folders below are included: their filename has the folder in it. A picture in static/img hides the one of its name in static/images.',
  input: v.strictObject({ book_id: BookId, asset_type: v.optional(v.pipe(AssetTypeName, emptyIsAbsent())) }),
  output: v.strictObject({ result: v.array(v.strictObject(assetFields)) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async handler({ book_id: book, asset_type }, door: Door, call) {
    return await perform(door, call, { operation: 'list_assets', book }, async library => {
      const assets: AssetFields[] = [];
      const breath = new Breath(call.signal);
      for (const entry of await assetsOf(library.storage, book, asset_type)) {
        await breath.take();
        assets.push(await describeAsset(library, book, entry));
      }
      return { answer: listAnswer(assets) };
    });
  },
});
