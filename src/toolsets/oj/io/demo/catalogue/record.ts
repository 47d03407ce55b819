/** A problem exactly as the backend sends it: every key is there, and what is unknown is null. */
export type ProblemRecord = {
  readonly id: string;
  readonly source: string;
  readonly slug: string;
  readonly title: string | null;
  readonly title_cn: string | null;
  readonly difficulty: string | null;
  readonly ac_rate: number | null;
  readonly rating: number | null;
  readonly contest: string | null;
  readonly problem_index: string | null;
  readonly tags: readonly string[];
  readonly link: string | null;
  readonly category: string | null;
  readonly paid_only: 0 | 1 | null;
  readonly content: string | null;
  readonly content_cn: string | null;
  readonly similar_questions: readonly string[];
};
