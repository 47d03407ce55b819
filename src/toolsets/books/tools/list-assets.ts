import * as v from 'valibot';
import { treatEmptyStringAsAbsent } from '../../../toolset/argument.ts';
import { describeAsset } from '../answer/asset.ts';
import { createListResult, fillListPage, listPageFields, ResultListPage } from '../answer/page.ts';
import { type ListedAsset, listAssetsOf } from '../library/book-assets.ts';
import { defineBookTool } from '../library/book-tool.ts';
import { PagedListCache } from '../library/list-cache.ts';
import { AssetTypeName, BookId, CursorArgument, LimitArgument } from '../model/arguments.ts';
import { type AssetResultFields, assetResultFields } from '../model/asset.ts';
import { compareCodePoints, removeBookPrefixOfKey } from '../model/key.ts';

const lists = new PagedListCache<ListedAsset[]>(assets => assets.length);

export const listAssets = defineBookTool({
  name: 'list_assets',
  title: 'List assets',
  description:
    'Returns all assets of a book, or those of one type, with address, size, type and date; by type, then by name. Files in folders below are included: their filename has the folder in it. A picture in static/img hides the one of its name in static/images.',
  input: v.strictObject({
    book_id: BookId,
    asset_type: v.optional(v.pipe(AssetTypeName, treatEmptyStringAsAbsent())),
    limit: v.optional(LimitArgument),
    after: v.optional(CursorArgument),
  }),
  output: v.strictObject({
    result: v.array(v.strictObject(assetResultFields)),
    ...listPageFields,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  about: ({ book_id: book }) => ({ book }),
  async run({ library, signal }, args) {
    const { book_id: book, asset_type, limit, after = '' } = args;
    const { files, history, settings } = library;
    const assets = await lists.get(library, args, async () => await listAssetsOf(files, book, asset_type, signal));
    if (assets.length === 0) await files.require(book);
    const authorOf = await history.authors(book);
    async function* described(): AsyncGenerator<AssetResultFields> {
      for (const { place, entry } of assets) {
        if (compareCodePoints(place, after) <= 0) continue;
        signal.throwIfAborted();
        const path = removeBookPrefixOfKey(book, entry.key);
        const { url } = await library.address(entry.key, { seconds: settings.archiveTtlMs / 1000, isListed: true });
        const agent = await authorOf({ book, path, user: undefined }, entry);
        yield describeAsset(entry, url, agent);
      }
    }
    const page = new ResultListPage<AssetResultFields>({ limit });
    const next = await fillListPage(page, described(), asset => `${asset.asset_type}/${asset.filename}`, after);
    return { answer: createListResult(page, { total: assets.length, what: 'assets', next }) };
  },
});
