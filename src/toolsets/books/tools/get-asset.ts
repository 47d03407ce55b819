import * as v from 'valibot';
import { defineTool } from '../../../toolset.ts';
import { assetCandidates, describeAsset } from '../io/assets.ts';
import { type Door, perform } from '../io/perform.ts';
import { AssetTypeName, BookId } from '../model/arguments.ts';
import { assetFields } from '../model/asset-schema.ts';
import { keyOf } from '../model/key.ts';
import { refuseEscape } from '../model/path.ts';
import { refusal } from '../model/refusal.ts';
import { objectAnswer } from '../text.ts';

/** As base64, and twice in an answer, more than this does not get through. */
const maxBinaryBytes = 3.5 * 1024 * 1024;

export const getAsset = defineTool({
  name: 'get_asset',
  title: 'Get asset',
  description:
    'Returns the address, size, type and date of one asset, and with include_binary its bytes in base64, up to 3.5 MiB. The name is the one list_assets gives, or the one it was uploaded under.',
  input: v.strictObject({
    book_id: BookId,
    asset_type: AssetTypeName,
    filename: v.pipe(
      v.string(),
      v.minLength(1, 'must not be empty'),
      v.maxLength(255, 'must have 255 characters at most'),
    ),
    include_binary: v.optional(v.boolean(), false),
  }),
  output: v.strictObject({ ...assetFields, binary_data: v.optional(v.string()) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async handler({ book_id: book, asset_type, filename, include_binary }, door: Door, call) {
    const task = { operation: 'get_asset', book, path: `static/${asset_type}/${filename}` };
    return await perform(door, call, task, async library => {
      refuseEscape(filename);
      for (const path of assetCandidates(asset_type, filename)) {
        const key = keyOf({ book, path, user: undefined });
        const entry = await library.storage.stat(key);
        if (entry === undefined) continue;
        const facts = await describeAsset(library, book, entry);
        if (!include_binary) return { answer: objectAnswer(facts) };
        if (entry.size > maxBinaryBytes) throw tooLarge(key, entry.size);
        const stored = await library.storage.read(key, maxBinaryBytes);
        if (stored === undefined) continue;
        const file = { file_size: stored.bytes.length, binary_data: stored.bytes.toString('base64') };
        return { answer: objectAnswer({ ...facts, ...file }) };
      }
      throw refusal('ContentNotFoundError', `There is no asset ${JSON.stringify(filename)} of this type in ${book}.`, {
        path: `static/${asset_type}/${filename}`,
        suggestion: 'list_assets shows what there is.',
      });
    });
  },
});

function tooLarge(key: string, size: number): Error {
  return refusal('AssetTooLargeError', `${key} has ${size} bytes, too many for an answer.`, {
    path: key,
    suggestion: 'Fetch it by its cdn_url.',
  });
}
