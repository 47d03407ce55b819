export interface CategoryResult {
  readonly total: number;
  readonly wrong: number;
  readonly misses: readonly string[];
}

/** What differs in a category, each under its name, and the stars of emphasis that a renderer shows. */
export type Judgement = Readonly<Record<string, CategoryResult>> & { readonly stars: number };

export interface Task {
  readonly kind: 'html' | 'md';
  readonly source: string;
  readonly answer: string;
  readonly base: string;
}

export function judge(task: Task): Judgement;

export function isRight(result: Judgement): boolean;
