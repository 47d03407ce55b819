import * as v from 'valibot';

/** What the tools say of an asset. */
export const assetFields = {
  cdn_url: v.string(),
  file_size: v.number(),
  mime_type: v.string(),
  upload_timestamp: v.string(),
  uploaded_by_agent_id: v.optional(v.pipe(v.string(), v.description('Left out when nobody knows'))),
  asset_type: v.string(),
  filename: v.pipe(v.string(), v.description('Below the folder of its type')),
  path: v.string(),
};

export type AssetFields = v.InferInput<v.ObjectSchema<typeof assetFields, undefined>>;
