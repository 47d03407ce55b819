import { homedir } from 'node:os';
import path from 'node:path';
import { badValue, oneOf, wholeNumber } from '../../flag-value.ts';
import type { Flags, FlagValues, Mode } from '../../toolset.ts';

export const flags = {
  'files-root': {
    type: 'string',
    isList: true,
    valueHint: 'folder',
    description: 'Folder that may be searched, with all below it; may be given several times',
  },
  'files-timeout-ms': {
    type: 'string',
    valueHint: 'ms',
    description: 'How long one search may take before it answers with what it has, 10000 unless told',
  },
  'files-engine': {
    type: 'string',
    valueHint: 'auto|scan',
    description: 'auto asks Spotlight on macOS, scan reads the files everywhere',
  },
} as const satisfies Flags;

export interface Settings {
  roots: readonly string[];
  timeoutMs: number;
  engine: 'auto' | 'scan';
  /** A sample folder is made for a demonstration without roots. */
  isDemo: boolean;
}

const defaultTimeoutMs = 10_000;
const maxTimeoutMs = 600_000;

export function settings(values: FlagValues<typeof flags>, { isDemo }: Mode): Settings {
  const roots = (values['files-root'] ?? []).map(readRoot);
  return {
    roots,
    timeoutMs: wholeNumber('files-timeout-ms', values['files-timeout-ms'], {
      standard: defaultTimeoutMs,
      min: 1,
      max: maxTimeoutMs,
    }),
    engine: oneOf('files-engine', values['files-engine'] ?? 'auto', ['auto', 'scan']),
    isDemo: isDemo && roots.length === 0,
  };
}

function readRoot(text: string): string {
  const expanded = /^~(?=$|[\\/])/.test(text) ? path.join(homedir(), text.slice(1)) : text;
  if (path.isAbsolute(expanded)) return path.resolve(expanded);
  throw badValue(
    'files-root',
    'must be an absolute path',
    text,
    'Hosts start servers in folders of their own choice, so a relative path would mean something else each time.',
  );
}
