import type { CallContext } from '../../../toolset/toolset.ts';
import type { JudgeContext } from '../io/context.ts';
import { convertStatement, extractStatementSamples } from '../io/converter.ts';
import { localizeProblem } from '../model/language.ts';
import type { Problem } from '../model/problem.ts';
import type { ProblemSample } from '../model/sample.ts';
import { formatProblem, formatSampleSections } from '../text.ts';

/** Returns the text of a problem in the configured language. */
export async function presentProblem(
  problem: Problem,
  { language }: JudgeContext,
  call: CallContext,
  showsExtras = false,
): Promise<string> {
  const shown = localizeProblem(problem, language);
  const text = formatProblem(shown, await convertStatement(shown, call), showsExtras);
  return text + formatSampleSections(await findMissingSamples(shown, call.signal));
}

/** Returns the samples of a record in files that its statement does not contain. */
async function findMissingSamples({ samples, content }: Problem, signal: AbortSignal): Promise<ProblemSample[]> {
  if (!samples || samples.length === 0) return [];
  const shown = new Set((await extractStatementSamples(content ?? '', signal))?.map(keyOf));
  return samples.filter(sample => !shown.has(keyOf(sample)));
}

/** A field often ends with a line feed, and the same sample in the statement does not. */
function keyOf({ input, output }: ProblemSample): string {
  return JSON.stringify([input.trimEnd(), output.trimEnd()]);
}
