import type { CallContext } from '../../../toolset/toolset.ts';
import type { JudgeContext } from '../io/context.ts';
import { convertStatement } from '../io/converter.ts';
import { localizeProblem } from '../model/language.ts';
import type { Problem } from '../model/problem.ts';
import { formatProblem } from '../text.ts';

/** Returns the text of a problem in the configured language. */
export async function presentProblem(
  problem: Problem,
  { language }: JudgeContext,
  call: CallContext,
  showsExtras = false,
): Promise<string> {
  const shown = localizeProblem(problem, language);
  return formatProblem(shown, await convertStatement(shown, call), showsExtras);
}
