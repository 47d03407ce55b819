/** A section of one of the two files the AWS tools share: what is set, by name. */
export type Profile = ReadonlyMap<string, string>;

/** Reads `~/.aws/credentials` or `~/.aws/config`; what is indented belongs to the setting above and is passed over. */
function readProfiles(text: string): Map<string, Map<string, string>> {
  const profiles = new Map<string, Map<string, string>>();
  let current: Map<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:[#;]|$)/.test(line)) continue;
    if (line.startsWith('[')) {
      const title = line.slice(1, line.includes(']') ? line.indexOf(']') : undefined).trim();
      const name = title.startsWith('profile ') ? title.slice('profile '.length).trim() : title;
      current = profiles.get(name) ?? new Map();
      profiles.set(name, current);
      continue;
    }
    const equals = line.indexOf('=');
    if (equals === -1 || /^\s/.test(line)) continue;
    const value = line.slice(equals + 1);
    const comment = value.search(/\s[#;]/);
    current?.set(line.slice(0, equals).trim().toLowerCase(), (comment === -1 ? value : value.slice(0, comment)).trim());
  }
  return profiles;
}

/** The profile as both files together have it: what the credentials file says wins. */
export function profileOf(name: string, credentialsText: string, configText: string): Profile | undefined {
  const own = readProfiles(credentialsText).get(name);
  const shared = readProfiles(configText).get(name);
  if (own === undefined && shared === undefined) return undefined;
  return new Map([...(shared ?? []), ...(own ?? [])]);
}
