import * as v from 'valibot';
import { defineTool } from '../../../toolset/toolset.ts';
import { readOnlyAnnotations } from '../query/arguments.ts';
import type { FinderLoader } from '../query/finder.ts';
import { AttributesSchema, createAttributesAnswer } from '../text.ts';

export const getMetadata = defineTool({
  name: 'get_metadata',
  title: 'Get file metadata',
  description:
    'Returns what is known about one file or folder without its contents: type, size, dates; for pictures their width and height, ' +
    'for sound and video the length, for PDF and office files title, authors and pages. Attributes have the names Spotlight gives them; what is not known is left out. ' +
    'Use it after a search, with a path from its results.',
  input: v.strictObject({
    path: v.pipe(v.string(), v.nonEmpty('must not be empty'), v.description('Absolute path to the file')),
  }),
  output: AttributesSchema,
  annotations: readOnlyAnnotations,
  async handler({ path }, load: FinderLoader, call) {
    const finder = await load();
    const place = await finder.roots.file(path, 'get_metadata: "path"');
    return createAttributesAnswer(await finder.describe(place, call));
  },
});
