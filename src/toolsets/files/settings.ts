import { Failure } from '../../errors/failure.ts';
import { badValue, readChoiceFlag, readWholeNumberFlag, requireAbsolutePath } from '../../toolset/flag-value.ts';
import type { Flags, FlagValues, ProgramMode } from '../../toolset/toolset.ts';
import { isInsideFolder, pathStyleOfPlatform } from './access/paths.ts';

export const flags = {
  'files-root': {
    type: 'string',
    isList: true,
    valueHint: 'folder',
    description: 'Folder that can be searched, with all below it; may be given several times',
  },
  'files-timeout-ms': {
    type: 'string',
    valueHint: 'ms',
    description: 'How long one search may take before it returns the results so far, 1 to 600000 (10000)',
  },
  'files-engine': {
    type: 'string',
    valueHint: 'auto|scan',
    description: 'auto asks Spotlight on macOS, scan reads the files everywhere',
  },
  'files-cache': {
    type: 'string',
    valueHint: 'folder',
    isCreated: true,
    description: 'Folder for the search index, kept for the next start; without it nothing is written',
  },
} as const satisfies Flags;

export interface Settings {
  roots: readonly string[];
  timeoutMs: number;
  engine: 'auto' | 'scan';
  /** The folder of the index cache, which contains trigram signatures and texts of documents. */
  cacheFolder: string | undefined;
  /** True if the flag --demo creates a sample folder. */
  isDemo: boolean;
}

const defaultTimeoutMs = 10_000;
const maxTimeoutMs = 600_000;

export function parseSettings(values: FlagValues<typeof flags>, { isDemo }: ProgramMode): Settings {
  const roots = [...new Set((values['files-root'] ?? []).map(text => requireAbsolutePath('files-root', text)))];
  const settings: Settings = {
    roots,
    timeoutMs: readWholeNumberFlag('files-timeout-ms', values['files-timeout-ms'], {
      standard: defaultTimeoutMs,
      min: 1,
      max: maxTimeoutMs,
    }),
    engine: readChoiceFlag('files-engine', values['files-engine'] ?? 'auto', ['auto', 'scan']),
    cacheFolder: readCacheFolder(values['files-cache'], roots),
    isDemo: isDemo && roots.length === 0,
  };
  if (roots.length > 0 || isDemo) return settings;
  throw new Failure('usage', 'The toolset "files" needs --files-root: the full path of a folder to search.', {
    hint: 'Add it, for example --files-root ~/Documents. To look around first, start with --demo --toolsets files.',
  });
}

/** Parses the path of the cache folder, which must not be inside a root folder. */
function readCacheFolder(text: string | undefined, roots: readonly string[]): string | undefined {
  if (text === undefined) return undefined;
  const folder = requireAbsolutePath('files-cache', text);
  if (roots.some(root => isInsideFolder(folder, root, pathStyleOfPlatform(process.platform))))
    throw badValue(`--files-cache must not be inside a folder that is searched`, text, 'Use a folder outside of them.');
  return folder;
}
