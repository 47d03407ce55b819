import type { Problem } from './problem.ts';

/** The valid values of the flag --oj-language. */
export const statementLanguages = ['en', 'cn'] as const;
export type StatementLanguage = (typeof statementLanguages)[number];

/**
 * Returns the problem with title and content in the preferred language. If one of them is blank, the other language
 * replaces it.
 */
export function localizeProblem(problem: Problem, language: StatementLanguage): Problem {
  return { ...problem, title: chooseProblemTitle(problem, language), content: chooseStatement(problem, language) };
}

export function chooseProblemTitle(
  { title, title_cn }: Pick<Problem, 'title' | 'title_cn'>,
  language: StatementLanguage,
): string | undefined {
  return choose(title, title_cn, language);
}

export function chooseStatement(
  { content, content_cn }: Pick<Problem, 'content' | 'content_cn'>,
  language: StatementLanguage,
): string | undefined {
  return choose(content, content_cn, language);
}

type Text = string | null | undefined;

function choose(english: Text, chinese: Text, language: StatementLanguage): string | undefined {
  const [preferred, other] = language === 'cn' ? [chinese, english] : [english, chinese];
  return (isBlank(preferred) ? other : preferred) ?? undefined;
}

function isBlank(text: Text): boolean {
  return text === null || text === undefined || text.trim() === '';
}
