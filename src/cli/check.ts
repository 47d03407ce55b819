import { Failure } from '../errors/failure.ts';
import { createRedactor } from '../log/redact.ts';
import type { CheckResult, OpenToolset } from '../toolset/toolset.ts';
import { version } from '../version.ts';

/** How long a toolset may take over what it looks at: more than one request may. */
const patienceMs = 40_000;

/** A toolset that is wanted, not opened yet: its settings may be what is wrong. */
export interface Candidate {
  name: string;
  open: () => Promise<OpenToolset>;
}

/** Says what a host would get, a line each. Resolves with whether all of it is good. */
export async function checkAll(candidates: readonly Candidate[], write: (line: string) => void): Promise<boolean> {
  const { node } = process.versions;
  write(`✓ oj-mcp ${version}, Node ${node} (${process.execPath}) on ${process.platform} ${process.arch}`);
  let isGood = true;
  for (const { name, open } of candidates) {
    for await (const { isGood: isThisGood, line, hint } of findingsOf(open)) {
      isGood &&= isThisGood;
      write(`${isThisGood ? '✓' : '✗'} ${name}: ${line}`);
      if (hint !== undefined) write(`  → ${hint}`);
    }
  }
  write(isGood ? 'All is well.' : 'Not all is well: what is marked ✗ has to be put right.');
  return isGood;
}

async function* findingsOf(open: Candidate['open']): AsyncGenerator<CheckResult> {
  let toolset: OpenToolset | undefined;
  let redact = (text: string): string => text;
  try {
    toolset = await open();
    redact = createRedactor(toolset.secrets);
    const names = toolset.tools.map(({ name }) => name);
    yield { isGood: true, line: `${names.length} tools: ${names.join(', ')}` };
    for (const warning of toolset.warnings) yield { isGood: true, line: `careful, ${warning}` };
    for await (const { isGood, line, hint } of toolset.check(AbortSignal.timeout(patienceMs))) {
      yield { isGood, line: redact(line), ...(hint !== undefined && { hint: redact(hint) }) };
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    yield { isGood: false, line: redact(error.message), hint: error.hint };
  } finally {
    await toolset?.close();
  }
}
