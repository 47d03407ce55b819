import type { McpHost, OperatingSystem, ServerCommand } from './hosts.ts';
import type { HostConfigFile } from './targets.ts';

/** A command without secrets, and the names of the secrets that the user must provide. */
export interface CommandWithoutSecrets {
  command: ServerCommand;
  missing: readonly string[];
}

/**
 * Replaces each secret by the value that the user has written into the entry, or by a reference to a variable of the
 * host. If there is neither, the secret is left out.
 */
export function replaceSecrets(
  command: ServerCommand,
  host: McpHost,
  { reference, isForwarding = false }: HostConfigFile,
  system: OperatingSystem,
  present: Readonly<Record<string, string>>,
): CommandWithoutSecrets {
  const kept = Object.fromEntries(
    command.secrets.flatMap(name => {
      const value = present[name];
      return value === undefined || isVariableReference(value) ? [] : [[name, value]];
    }),
  );
  const secrets = command.secrets.filter(name => !(name in kept));
  const withKept = { ...command, env: { ...command.env, ...kept }, secrets };
  const asksItself = !secrets.some(name => host.paste(withKept, system).includes(command.env[name] ?? ''));
  if (asksItself) return { command: withKept, missing: [] };
  const env = Object.entries(withKept.env).flatMap(([name, value]): [string, string][] => {
    if (!secrets.includes(name)) return [[name, value]];
    return reference === undefined ? [] : [[name, reference(name)]];
  });
  const forwarded = isForwarding ? secrets : [];
  return { command: { ...withKept, env: Object.fromEntries(env), forwarded }, missing: secrets };
}

/** Returns whether a value refers to a variable or an input in the syntax of any host. */
export function isVariableReference(value: string): boolean {
  return /^\$?\{[^}]*\}$/.test(value);
}
