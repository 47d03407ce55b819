import * as v from 'valibot';
import { defineTool } from '../../../toolset/toolset.ts';
import type { JudgeContext } from '../io/context.ts';
import { readPathSegment, SourceArgument } from '../model/argument.ts';
import { addNote, formatTags } from '../text.ts';

export const listTags = defineTool({
  name: 'list_tags',
  title: 'List tags',
  description: 'Returns all tags of the problems of a platform: the valid values for "tags" of list_problems.',
  input: v.strictObject({ source: SourceArgument }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  onlyWith: 'oj-extras',
  async handler({ source }, { api }: JudgeContext, { signal }) {
    const platform = readPathSegment('source', source);
    return addNote(formatTags(platform, await api.tags(platform, signal)), api.note?.());
  },
});
