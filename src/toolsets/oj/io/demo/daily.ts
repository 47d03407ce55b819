import { isCalendarDay, utcDay } from '../../model/date.ts';
import { catalogue } from './catalogue/catalogue.ts';
import { readSwitch, readText } from './query-string.ts';
import { type DemoReply, jsonReply, problemReply, Refusal } from './reply.ts';

type Domain = 'com' | 'cn';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const earliestDate = '2020-04-01';

/** A day begins at midnight UTC for `com`, and at midnight in China for `cn`. */
const zoneMs: Record<Domain, number> = { com: 0, cn: 8 * hourMs };

export function dailyReply(query: URLSearchParams, now: Date): DemoReply {
  const domainText = readText(query, 'domain');
  const dateText = readText(query, 'date');
  const sourceText = readText(query, 'source');
  // Checked and not needed: nothing has to be fetched here, so no answer is ever a 202.
  readSwitch(query, 'async');

  const domain = chooseDomain(domainText, sourceText);
  const today = utcDay(new Date(now.getTime() + zoneMs[domain]));
  const date = dateText === undefined ? today : checkDate(dateText, today);

  // The real daily record has no `source`: there it is always LeetCode. Ours come from three judges, so it stays.
  return jsonReply({ ...chooseProblem(domain, date), date, domain });
}

function refuse(detail: string): never {
  throw new Refusal(problemReply(400, detail));
}

/** `source=leetcode.cn` is the backend's other way to say `domain=cn`. */
function chooseDomain(domain: string | undefined, source: string | undefined): Domain {
  if (source !== undefined && source !== 'leetcode.com' && source !== 'leetcode.cn') {
    return refuse(`invalid source '${source}', expected 'leetcode.com' or 'leetcode.cn'`);
  }
  if (domain !== undefined && domain !== 'com' && domain !== 'cn') return refuse("domain must be 'com' or 'cn'");
  if (source === undefined) return domain ?? 'com';
  const sourceDomain = source === 'leetcode.cn' ? 'cn' : 'com';
  if (domain !== undefined && domain !== sourceDomain) return refuse('domain and source conflict');
  return sourceDomain;
}

function checkDate(date: string, today: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return refuse('invalid date format, expected YYYY-MM-DD');
  if (!isCalendarDay(date)) return refuse('invalid calendar date');
  if (date < earliestDate) return refuse(`date must be >= ${earliestDate}`);
  if (date > today) return refuse('date must be <= today');
  return date;
}

/** Walks through the catalogue in steps that visit every problem before one comes back; `cn` is half a round ahead. */
function chooseProblem(domain: Domain, date: string) {
  const day = Date.parse(date) / dayMs;
  const step = 5;
  const lead = domain === 'cn' ? Math.floor(catalogue.length / 2) : 0;
  return catalogue[(day * step + lead) % catalogue.length];
}
