import { type AssetResultFields, mimeTypeOf } from '../model/asset.ts';
import { primaryAssetFolderOf } from '../model/path.ts';
import { formatIsoTime } from './page.ts';

/** Returns the fields that describe an asset in a tool result. */
export function describeAsset(
  { key, size, modified }: { key: string; size: number; modified: Date },
  url: string,
  agent: string | undefined,
): AssetResultFields {
  // The storage key of an asset has the form books/<book>/static/<folder>/<name>.
  const [, , , directory = '', ...rest] = key.split('/');
  const filename = rest.join('/');
  return {
    cdn_url: url,
    file_size: size,
    mime_type: mimeTypeOf(filename),
    upload_timestamp: formatIsoTime(modified),
    ...(agent !== undefined && { uploaded_by_agent_id: agent }),
    asset_type: directory === 'images' ? primaryAssetFolderOf('images') : directory,
    filename,
    path: key,
  };
}
