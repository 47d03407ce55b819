import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { reasonOf } from '../errors/reason.ts';
import { systemErrorCodeOf } from '../errors/system-error.ts';
import { expandHomeFolder } from '../toolset/flag-value.ts';
import type { Flags } from '../toolset/toolset.ts';
import { type CommandLineValues, resolveFlagValues, type Settings } from './settings.ts';

/**
 * Returns a warning for each folder in a flag that cannot be used now. The server starts without waiting for the
 * result, because a network share may not respond, and without the folder, because a removable disk can be mounted
 * later.
 */
export async function findUnusableFolders(
  { toolsets }: Settings,
  args: CommandLineValues,
  env: NodeJS.ProcessEnv,
): Promise<string[]> {
  const found = toolsets.flatMap(({ name: toolset, flags }) =>
    foldersOf(flags, args, env).map(async ([flag, folder]) => {
      const code = await findFault(folder);
      if (code === undefined) return [];
      const effect = `the tools of "${toolset}" cannot use it until this is corrected, and --check shows the remedy`;
      return [`--${flag} ${folder} cannot be read: ${reasonOf(code)}: ${effect}`];
    }),
  );
  return (await Promise.all(found)).flat();
}

function foldersOf(flags: Flags, args: CommandLineValues, env: NodeJS.ProcessEnv): [string, string][] {
  return Object.entries(resolveFlagValues(flags, args, env)).flatMap(([flag, value]) => {
    const declared = flags[flag];
    if (declared?.valueHint !== 'folder' || declared.isCreated === true) return [];
    const texts = [value ?? []].flat().filter(text => typeof text === 'string' && !/^(?!file:)\w+:\/\//i.test(text));
    return texts.map((text): [string, string] => [flag, path.resolve(expandHomeFolder(flag, String(text)))]);
  });
}

/**
 * Returns the error code if the folder cannot be listed or entered. The dot at the end of the path causes an error for
 * a file.
 */
async function findFault(folder: string): Promise<string | undefined> {
  return await access(`${folder}${path.sep}.`, constants.R_OK | constants.X_OK).then(
    () => undefined,
    (error: unknown) => systemErrorCodeOf(error) ?? 'EINVAL',
  );
}
