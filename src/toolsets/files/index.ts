import { defineToolset } from '../../toolset/toolset.ts';
import { flags, parseSettings } from './settings.ts';

export const files = defineToolset({
  name: 'files',
  summary: "The user's own files, by content, kind and date",
  instructions:
    "To find the user's own files use search with a few words of their contents or names, search_by_kind or recent_files, all with an absolute folder as scope. get_metadata returns more about one file. The tools return excerpts, not whole files: read those with your own file tool.",
  published: ({ roots }) => {
    if (roots.length === 0) return { hints };
    const folders = `Folders that can be searched: ${listRoots(roots)}.`;
    return {
      instructions: folders,
      arguments: { scope: `Must be inside ${listRoots(roots)}` },
      hints: { ...hints, scope: folders },
    };
  },
  isDefault: false,
  flags,
  settings: parseSettings,
  notes: ({ roots, isDemo }) => {
    if (isDemo) return ['files: a sample folder'];
    return roots.length === 0 ? [] : [`files: ${roots.length === 1 ? 'one folder' : `${roots.length} folders`}`];
  },
  // The text of a result is not truncated, because a truncated list would not be valid JSON. The page limit bounds its
  // length.
  maxTextBytes: 0,
  load: async () => await import('packed:src/toolsets/files/tools/index.ts'),
});

const hints = {
  query: 'To list files without words, use search_by_kind, recent_files, or query "*" with match "name".',
  kind: 'Kinds: document, image, video, audio, pdf, code.',
};

const maxListed = 10;

/** Lists at most ten root folders for the descriptions of the tools. An error message lists all of them. */
function listRoots(roots: readonly string[]): string {
  const listed = roots.slice(0, maxListed).join(', ');
  return roots.length > maxListed ? `${listed} and ${roots.length - maxListed} more` : listed;
}
