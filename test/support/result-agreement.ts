/**
 * Returns the differences between the texts and the structured content of a result. Hosts show a model all texts, only
 * the first one, or only the structured content, so that each form must be complete.
 */
export function resultDifferences({ texts, structured }: { texts: readonly string[]; structured: unknown }): string[] {
  if (!isRecord(structured)) return [];
  const [first = '', ...further] = texts;
  const { notes = [], ...facts } = structured;
  const problems: string[] = [];
  if (JSON.stringify(notes) !== JSON.stringify(further)) problems.push('the further texts are not the notes');
  const said = readJson(first);
  const wanted = JSON.stringify(said);
  if (said === undefined) {
    if (!Object.values(facts).includes(first) && !consistsOf(first, facts))
      problems.push('the sentence is in the text only');
    for (const leaf of leavesOf(facts))
      if (!texts.some(text => text.includes(leaf))) problems.push(`text lacks ${leaf}`);
  } else if (wanted !== JSON.stringify(facts)) {
    const field = Object.keys(facts).find(name => JSON.stringify(facts[name]) === wanted);
    if (field === undefined) problems.push('the first text is neither the structured half nor a part of it');
    // The fields beside the list state whether it is complete, so that the texts must state it too.
    const beside = Object.entries(facts).filter(
      ([name, value]) => name !== field && (value === true || isRecord(value)),
    );
    if (beside.length > 0 && further.length === 0)
      problems.push(`no note says ${beside.map(([name]) => name).join(', ')}`);
  }
  return problems;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns whether a text contains only the strings of a value, its field names and numbers. */
function consistsOf(text: string, value: unknown): boolean {
  const rest = leavesOf(value).reduce((left, leaf) => (leaf === '' ? left : left.replaceAll(leaf, ' ')), text);
  const names = `the ${JSON.stringify(value).toLowerCase()}`;
  return (rest.toLowerCase().match(/[a-z]+/g) ?? []).every(word => names.includes(word));
}

/** Returns the strings in a value, trimmed. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value.trim()];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
