import { catalogue } from './catalogue/catalogue.ts';
import type { ProblemRecord } from './catalogue/record.ts';
import { readCount, readNumber, readText } from './query-string.ts';
import { type DemoReply, jsonReply, problemReply, Refusal } from './reply.ts';
import { contentWords, indexTexts, type SimilarityIndex } from './similarity.ts';

const defaultLimit = 10;
const maxLimit = 50;
const minQueryBytes = 3;
const maxQueryBytes = 2000;

export function indexCatalogue(): SimilarityIndex {
  return indexTexts(
    catalogue.map(problem => [
      { text: problem.title ?? '', weight: 2 },
      { text: problem.title_cn ?? '', weight: 2 },
      { text: problem.tags.join(' '), weight: 3 },
      { text: problem.content ?? '', weight: 1 },
    ]),
  );
}

export function similarToProblemReply(
  index: SimilarityIndex,
  source: string,
  id: string,
  query: URLSearchParams,
): DemoReply {
  const options = readOptions(query);
  const position = catalogue.findIndex(problem => problem.source === source && problem.id === id);
  const problem = catalogue[position];
  if (problem === undefined) return problemReply(404, 'no embedding found for this problem');
  const similarities = index.compareIndexed(position).map((similarity, i) => (i === position ? 0 : similarity));
  return jsonReply({ rewritten_query: describe(problem), results: rank(similarities, options) });
}

export function similarToTextReply(index: SimilarityIndex, query: URLSearchParams): DemoReply {
  const options = readOptions(query);
  const text = checkText(readText(query, 'query', 'q'));
  const words = contentWords(text).join(' ');
  return jsonReply({ rewritten_query: words === '' ? null : words, results: rank(index.compareText(text), options) });
}

type Options = { limit: number; threshold: number; sources: string[] | undefined };

function readOptions(query: URLSearchParams): Options {
  return {
    limit: Math.min(readCount(query, 'limit') ?? defaultLimit, maxLimit),
    threshold: readNumber(query, 'threshold') ?? 0,
    sources: readText(query, 'source')
      ?.split(',')
      .map(source => source.trim()),
  };
}

/** The backend measures bytes, where our own tool counts characters. */
function checkText(value: string | undefined): string {
  const trimmed = value?.trim() ?? '';
  const text = trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"') ? trimmed.slice(1, -1) : trimmed;
  const bytes = Buffer.byteLength(text);
  if (bytes === 0) throw new Refusal(problemReply(400, 'query parameter is required'));
  if (bytes < minQueryBytes) throw new Refusal(problemReply(400, 'query must be at least 3 characters'));
  if (bytes > maxQueryBytes) throw new Refusal(problemReply(400, 'query must be at most 2000 characters'));
  return text;
}

/** The real backend sends an AI's summary here. */
function describe(problem: ProblemRecord): string {
  return [problem.title, ...problem.tags].filter(part => part !== null).join(', ');
}

/** A problem without a word in common is not a hit, whatever the threshold. */
function rank(similarities: readonly number[], { limit, threshold, sources }: Options) {
  return catalogue
    .map(({ source, id, title, difficulty, link }, i) => ({
      source,
      id,
      title,
      difficulty,
      link,
      similarity: similarities[i] ?? 0,
    }))
    .filter(hit => hit.similarity > 0 && hit.similarity >= threshold)
    .filter(hit => sources === undefined || sources.includes(hit.source))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, limit);
}
