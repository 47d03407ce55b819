import { Failure } from '../errors/failure.ts';
import { type Flags, type OpenedToolset, openToolset, type Toolset } from '../toolset/toolset.ts';
import * as toolsets from '../toolsets/index.ts';
import { type CommandLineValues, readSettings, resolveFlagValues, type Settings, serverFlags } from './settings.ts';
import {
  findPlaceholders,
  findUnusedSettings,
  nameVariablesInsteadOfFlags,
  type UnusedSetting,
} from './unused-settings.ts';

export const allToolsets: readonly Toolset[] = Object.values(toolsets);
export const allFlags: Flags = Object.assign({}, ...allToolsets.map(toolset => toolset.flags), serverFlags);

export function readServerSettings(args: CommandLineValues, env: NodeJS.ProcessEnv): Settings {
  return readSettings(resolveFlagValues(serverFlags, args, env), env, allToolsets);
}

/**
 * Returns the error for the first flag without effect. An environment variable without effect causes only a warning.
 */
export function createUnusedFlagFailure(
  args: CommandLineValues,
  env: NodeJS.ProcessEnv,
  settings: Settings,
): Failure | undefined {
  return toFailure(findUnusedSettings(args, env, settings, allToolsets).find(({ isVariable }) => !isVariable));
}

function toFailure(unused: UnusedSetting | undefined): Failure | undefined {
  return unused && new Failure('usage', `${unused.message}.`, { hint: unused.remedy });
}

/** Replaces the name of a flag in a message by its environment variable, if the value came from the variable. */
export function nameVariablesInMessage(message: string, args: CommandLineValues): string {
  return nameVariablesInsteadOfFlags(message, allFlags, args, process.env);
}

export async function openToolsets(settings: Settings, args: CommandLineValues): Promise<OpenedToolset[]> {
  const open: OpenedToolset[] = [];
  try {
    for (const toolset of settings.toolsets) {
      open.push(
        await openToolset(toolset, resolveFlagValues(toolset.flags, args, process.env), { isDemo: settings.isDemo }),
      );
    }
  } catch (error) {
    await closeToolsets(open);
    // If a setting of the default toolset is missing, the user may have forgotten --toolsets. An error about a flag of
    // a disabled toolset or about a placeholder explains this better, and is thrown instead.
    throw createUnusedFlagFailure(args, process.env, settings) ?? placeholderFailure(args, settings, error) ?? error;
  }
  return open;
}

/**
 * Creates an error about the placeholder in the environment variable of a flag, if the original error names this flag.
 */
function placeholderFailure(args: CommandLineValues, settings: Settings, error: unknown): Failure | undefined {
  const { message } = error instanceof Failure ? error : { message: '' };
  const placeholders = findPlaceholders(args, process.env, settings.toolsets, true);
  return toFailure(placeholders.find(({ flag }) => message.includes(`--${flag} `)));
}

export async function closeToolsets(open: readonly OpenedToolset[]): Promise<void> {
  await Promise.all(open.map(async toolset => await toolset.close()));
}
