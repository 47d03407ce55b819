import * as v from 'valibot';
import { Failure } from '../../../errors/failure.ts';
import { acceptConvertibleTypes, publishAsRequired } from '../../../toolset/argument.ts';
import { createObjectResult, formatIsoTime } from '../answer/page.ts';
import { findAsset } from '../library/book-assets.ts';
import { type BookToolContext, type BookToolResult, defineBookTool } from '../library/book-tool.ts';
import type { Library } from '../library/library.ts';
import { AssetFileName, AssetTypeName, BookId, CountField } from '../model/arguments.ts';
import { createSafeAssetName, createStoredAssetName, decodeBase64, mimeTypeOf } from '../model/asset.ts';
import { sha256Of } from '../model/hash.ts';
import { removeBookPrefixOfKey, storageKeyOf } from '../model/key.ts';
import { type AssetType, assetFoldersOf, primaryAssetFolderOf } from '../model/path.ts';
import { refusal } from '../model/refusal.ts';
import { maxUploadBytes } from '../settings.ts';

const minPresignedBytes = 10_485_760;
const maxPresignedBytes = 104_857_600;
/** The number of seconds for which an upload address is valid. */
const uploadSeconds = 3600;

const Uploaded = v.strictObject({
  status: v.picklist(['success', 'skipped', 'presigned_url']),
  method: v.picklist(['direct', 'presigned']),
  cdn_url: v.string(),
  file_size: CountField,
  mime_type: v.optional(v.string()),
  path: v.string(),
  filename: v.string(),
  file_hash_sha256: v.optional(v.string()),
  message: v.optional(v.string()),
  upload_url: v.optional(v.string()),
  expires_at: v.optional(v.string()),
  expires_in_seconds: v.optional(CountField),
  upload_instructions: v.optional(
    v.strictObject({
      method: v.literal('PUT'),
      content_type: v.string(),
      headers: v.record(v.string(), v.string()),
      note: v.string(),
    }),
  ),
});

export const uploadAsset = defineBookTool({
  name: 'upload_asset',
  title: 'Upload asset',
  description:
    'Stores a picture, slide deck, video or sound of a book, given as base64, and returns its address and the name it was stored under: spaces become hyphens, ü becomes u, other unsafe characters are dropped. An asset of that name is replaced; the same bytes again are skipped. Files of 10 MiB and more: in a bucket with file_size instead of the bytes, which returns an address to send them to; in folders the user copies them into the library.',
  input: v.strictObject({
    book_id: BookId,
    asset_type: AssetTypeName,
    filename: AssetFileName,
    binary_data: v.optional(
      v.pipe(
        v.string(),
        publishAsRequired(),
        v.description('Base64 with padding; line breaks may be in it; empty with file_size'),
      ),
    ),
    file_size: v.optional(
      v.pipe(
        v.number(),
        acceptConvertibleTypes(),
        v.integer('must be a whole number'),
        v.minValue(minPresignedBytes, `must be ${minPresignedBytes} or more`),
        v.maxValue(maxPresignedBytes, `must be ${maxPresignedBytes} or less`),
        v.description('Asks for an address to upload a large file to; only in buckets'),
      ),
    ),
  }),
  output: Uploaded,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  about: ({ book_id: book, asset_type, filename }) => ({
    book,
    path: `static/${primaryAssetFolderOf(asset_type)}/${createSafeAssetName(filename) ?? filename}`,
    given: filename,
  }),
  async run(
    visit,
    { book_id: book, asset_type, filename, binary_data, file_size },
  ): Promise<BookToolResult<typeof Uploaded>> {
    const name = createStoredAssetName(filename);
    const asset = { book, type: asset_type, name, path: `static/${primaryAssetFolderOf(asset_type)}/${name}` };
    if (binary_data !== undefined && binary_data !== '') return await store(visit, asset, decodeBase64(binary_data));
    if (file_size === undefined) throw refusal('ValidationError', '"binary_data" is required.');
    return await offer(visit, asset, file_size);
  },
});

interface Asset {
  book: string;
  type: AssetType;
  name: string;
  /** The path of the asset inside the book. */
  path: string;
}

async function store(
  { library, author, signal }: BookToolContext,
  asset: Asset,
  bytes: Buffer,
): Promise<BookToolResult<typeof Uploaded>> {
  const { files, storage, settings } = library;
  const { book, type, name, path } = asset;
  if (bytes.length >= settings.maxUploadBytes) throw tooLarge(bytes.length, settings.maxUploadBytes);
  const place = { book, path, user: undefined };
  const hash = sha256Of(bytes);
  const facts = { file_size: bytes.length, mime_type: mimeTypeOf(name), filename: name, file_hash_sha256: hash };
  const present = await findAsset(files, book, type, name);
  if (present !== undefined && (await storage.hash(present, signal)) === hash) {
    const message = 'The library already has a file with this name and content.';
    const at = { cdn_url: await urlOf(library, present.key), path: present.key };
    const answer = createObjectResult({ status: 'skipped', method: 'direct', ...at, ...facts, message });
    return { path: removeBookPrefixOfKey(book, present.key), seen: hash, status: 'skipped', answer };
  }
  // The tool searches files with the same name before the change, because an error after a completed change would be
  // misleading.
  const hidden = await namesakes(library, asset, signal);
  const notes = present === undefined ? await files.noteOnNewBook(book) : [];
  await files.put(place, bytes, author);
  const at = { cdn_url: await urlOf(library, storageKeyOf(place)), path: storageKeyOf(place) };
  return {
    isJournalled: true,
    answer: createObjectResult(
      {
        status: 'success',
        method: 'direct',
        ...at,
        ...facts,
        ...(hidden.length > 0 && {
          message: `${hidden.join(', ')} still exists, but the new file is returned in its place.`,
        }),
      },
      { notes },
    ),
  };
}

/** Creates an address to which the client can upload the asset. */
async function offer(
  { library, signal }: BookToolContext,
  asset: Asset,
  size: number,
): Promise<BookToolResult<typeof Uploaded>> {
  if (library.offer === undefined) {
    throw refusal('UnsupportedOperationError', 'A library in a folder has no upload addresses.', {
      suggestion: "The user can copy the file into the book's static folder.",
    });
  }
  const { book, name, path } = asset;
  const place = { book, path, user: undefined };
  const mimeType = mimeTypeOf(name);
  const offered = await library.offer({ place, size, mimeType, seconds: uploadSeconds }, signal);
  const { url, seconds, expiresMs, method, headers } = offered;
  const note = 'Send exactly these headers and as many bytes as file_size says. The asset exists after the upload.';
  return {
    isJournalled: true,
    answer: createObjectResult({
      status: 'presigned_url',
      method: 'presigned',
      upload_url: url,
      cdn_url: await urlOf(library, storageKeyOf(place)),
      file_size: size,
      path: storageKeyOf(place),
      filename: name,
      expires_in_seconds: seconds,
      expires_at: formatIsoTime(expiresMs),
      upload_instructions: { method, content_type: mimeType, headers, note },
    }),
  };
}

async function urlOf(library: Library, key: string): Promise<string> {
  return (await library.address(key, { seconds: library.settings.archiveTtlMs / 1000 })).url;
}

/** Returns the files with the same name in other folders of the asset type. */
async function namesakes({ files }: Library, { book, type, name }: Asset, signal: AbortSignal): Promise<string[]> {
  const paths: string[] = [];
  for (const directory of assetFoldersOf(type).slice(1)) {
    signal.throwIfAborted();
    const path = `static/${directory}/${name}`;
    try {
      if ((await files.stat({ book, path, user: undefined })) !== undefined) paths.push(path);
    } catch (error) {
      // The search ignores a file that cannot be read.
      if (!(error instanceof Failure)) throw error;
    }
  }
  return paths;
}

function tooLarge(bytes: number, limit: number): Error {
  return refusal('AssetTooLargeError', `The file has ${bytes} bytes; uploads must be smaller than ${limit}.`, {
    suggestion: `The user can copy the file into the book's static folder${limit < maxUploadBytes ? ', or raise --books-max-upload-mb' : ''}.`,
  });
}
