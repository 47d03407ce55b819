import { writeToStderr } from '../log/stderr.ts';
import { openToolset } from '../toolset/toolset.ts';
import type { CheckReporter } from './check.ts';
import { allFlags, allToolsets, nameVariablesInMessage, readServerSettings } from './enabled-toolsets.ts';
import { type CommandLineValues, resolveFlagValues } from './settings.ts';
import { createTerminalStyle } from './terminal-style.ts';
import { findUnusedSettings, findVisibleSecrets } from './unused-settings.ts';

/** Runs --check for the server with these arguments. The promise resolves with the exit code. */
export async function runCheck(args: CommandLineValues, write: (text: string) => void): Promise<number> {
  const { checkToolsets } = await import('packed:src/cli/check.ts');
  const settings = readServerSettings(args, process.env);
  const { toolsets: enabled, isDemo } = settings;
  const candidates = enabled.map(toolset => ({
    name: toolset.name,
    open: async () => await openToolset(toolset, resolveFlagValues(toolset.flags, args, process.env), { isDemo }),
  }));
  const unused = [
    ...findVisibleSecrets(args, allFlags),
    ...findUnusedSettings(args, process.env, settings, allToolsets, true),
  ];
  const output: CheckReporter = {
    write,
    style: createTerminalStyle(process.stdout, process.env),
    nameSources: text => nameVariablesInMessage(text, args),
    ...(process.stderr.isTTY && { onWait: (name: string) => writeToStderr(`  waiting for ${name} …`) }),
  };
  return (await checkToolsets(candidates, unused, output)) ? 0 : 1;
}
