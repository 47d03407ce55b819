import { type AssetFields, mimeTypeOf } from '../model/asset.ts';
import { assetHome } from '../model/path.ts';
import { instant } from './page.ts';

/** Returns the fields of an asset for a result. */
export function describeAsset(
  { key, size, modified }: { key: string; size: number; modified: Date },
  url: string,
  agent: string | undefined,
): AssetFields {
  // The key has the form books/<book>/static/<folder>/<name>.
  const [, , , directory = '', ...rest] = key.split('/');
  const filename = rest.join('/');
  return {
    cdn_url: url,
    file_size: size,
    mime_type: mimeTypeOf(filename),
    upload_timestamp: instant(modified),
    ...(agent !== undefined && { uploaded_by_agent_id: agent }),
    asset_type: directory === 'images' ? assetHome('images') : directory,
    filename,
    path: key,
  };
}
