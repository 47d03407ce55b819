import type { ElementTest, SelectorCandidate } from './selector.ts';

const nthPart = /^(?:(odd|even)|(?:([-+]?\d*)n\s*)?([-+]?\s*\d+)?)$/i;

/**
 * Returns a test function for a pseudo-class such as `:nth-child`, if the result depends only on content before the
 * element.
 */
export function createPseudoClassTest(name: string, argument: string): ElementTest | undefined {
  if (name === 'root') return ({ at }) => at === 0;
  const [, kind, isOfType] = /^(first|nth)-(?:child|(of-type))$/.exec(name) ?? [];
  const nth = kind === 'first' ? { step: 0, start: 1 } : kind === 'nth' ? nthOf(argument) : undefined;
  if (nth === undefined) return undefined;
  return candidate => isNth(nth, isOfType === undefined ? (candidate.element?.index ?? 0) : indexOfType(candidate));
}

function indexOfType({ element, spend }: SelectorCandidate): number {
  let index = element?.index === 0 ? 0 : 1;
  for (let sibling = element?.previous; sibling !== undefined; sibling = sibling.previous) {
    spend();
    if (sibling.name === element?.name) index++;
  }
  return index;
}

/** Parses an argument such as `2n+1`, `odd`, `even` or `3`. */
function nthOf(text: string): { step: number; start: number } | undefined {
  const [all, word, step, start = ''] = nthPart.exec(text) ?? [];
  if (all === undefined || all === '') return undefined;
  if (word !== undefined) return { step: 2, start: word.toLowerCase() === 'odd' ? 1 : 0 };
  const isSign = step === '' || step === '+' || step === '-';
  return { step: isSign ? Number(`${step}1`) : Number(step ?? 0), start: Number(start.replace(/\s/g, '')) };
}

function isNth({ step, start }: { step: number; start: number }, index: number): boolean {
  if (index === 0) return false;
  return step === 0 ? index === start : (index - start) % step === 0 && (index - start) / step >= 0;
}
