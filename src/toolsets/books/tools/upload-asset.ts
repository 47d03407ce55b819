import * as v from 'valibot';
import { defineTool } from '../../../toolset.ts';
import { assetUrl } from '../io/assets.ts';
import { type Door, perform } from '../io/perform.ts';
import { AssetTypeName, BookId, requireAgent } from '../model/arguments.ts';
import { assetName, decodeBase64, mimeTypeOf } from '../model/asset.ts';
import { keyOf } from '../model/key.ts';
import { assetHome } from '../model/path.ts';
import { refusal } from '../model/refusal.ts';
import { objectAnswer } from '../text.ts';

const minPresignedBytes = 10_485_760;
const maxPresignedBytes = 104_857_600;

export const uploadAsset = defineTool({
  name: 'upload_asset',
  title: 'Upload asset',
  description:
    "Stores a picture, slide deck, video or sound of a book, given as base64, and returns its address and the name it was stored under: spaces become hyphens, and characters that are unsafe somewhere are dropped. An asset of that name is replaced; the same bytes again are skipped. Files of 10 MiB and more have to be put into the library's folder by the user.",
  input: v.strictObject({
    book_id: BookId,
    asset_type: AssetTypeName,
    filename: v.pipe(
      v.string(),
      v.minLength(1, 'must not be empty'),
      v.maxLength(255, 'must have 255 characters at most'),
    ),
    binary_data: v.optional(v.pipe(v.string(), v.description('The bytes in base64, with padding'))),
    file_size: v.optional(
      v.pipe(
        v.number(),
        v.integer('must be a whole number'),
        v.minValue(minPresignedBytes, `must be ${minPresignedBytes} or more`),
        v.maxValue(maxPresignedBytes, `must be ${maxPresignedBytes} or less`),
        v.description('Asks for an address to upload a large file to, which a library in folders does not have'),
      ),
    ),
  }),
  output: v.strictObject({
    status: v.picklist(['success', 'skipped']),
    method: v.literal('direct'),
    cdn_url: v.string(),
    file_size: v.number(),
    mime_type: v.string(),
    path: v.string(),
    filename: v.string(),
    file_hash_sha256: v.string(),
    message: v.optional(v.string()),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  async handler({ book_id: book, asset_type, filename, binary_data, file_size }, door: Door, call) {
    const task = { operation: 'upload_asset', book, path: filename };
    return await perform(door, call, task, async ({ storage, settings, hashOf }, name) => {
      const agent = requireAgent(name, filename);
      const stored = assetName(filename);
      if (binary_data === undefined) throw missingData(file_size, filename);
      const bytes = decodeBase64(binary_data, filename);
      if (bytes.length >= settings.maxUploadBytes) throw tooLarge(bytes.length, settings.maxUploadBytes, filename);
      const place = { book, path: `static/${assetHome(asset_type)}/${stored}`, user: undefined };
      const key = keyOf(place);
      const hash = hashOf(bytes);
      const isSame = (await storage.hash(key)) === hash;
      if (!isSame) await storage.writeIf(place, bytes, { kind: 'any' }, { agent, operation: 'upload_asset' });
      return {
        isJournalled: !isSame,
        status: isSame ? 'skipped' : 'success',
        answer: objectAnswer({
          status: isSame ? 'skipped' : 'success',
          method: 'direct',
          cdn_url: assetUrl(key, storage, settings),
          file_size: bytes.length,
          mime_type: mimeTypeOf(stored),
          path: key,
          filename: stored,
          file_hash_sha256: hash,
          ...(isSame && { message: 'The library has exactly these bytes under this name already.' }),
        }),
      };
    });
  },
});

function missingData(fileSize: number | undefined, path: string): Error {
  if (fileSize === undefined) return refusal('ValidationError', '"binary_data" is required.', { path });
  return refusal('UnsupportedOperationError', 'A library in folders gives out no addresses to upload to.', {
    path,
    suggestion: "The user can copy the file into the book's static folder.",
  });
}

function tooLarge(bytes: number, limit: number, path: string): Error {
  return refusal('AssetTooLargeError', `The file has ${bytes} bytes; uploads must be smaller than ${limit}.`, {
    path,
    suggestion: "The user can copy the file into the book's static folder, or raise --books-max-upload-mb.",
  });
}
