import type { ImportChange, ImportChanges } from './changes.ts';
import type { ImportPlan } from './plan.ts';
import { formatCount } from './wording.ts';

const legend =
  'Signs: + new, ~ changed in the folder, = unchanged, > edited in the library only, ! edited on both sides, - deleted, × not imported.';

const signs = {
  create: '+',
  update: '~',
  unchanged: '=',
  edited: '>',
  conflict: '!',
  overwrite: '!',
  deleted: '-',
} as const;

/** Prints the changes of an import, after an explanation of the signs in the list. */
export function reportImport(
  write: (line: string) => void,
  plan: ImportPlan,
  { changes, stale, kept }: ImportChanges,
  skipped: ReadonlyMap<string, string>,
): void {
  const files = new Map(plan.files.map(file => [file.to, file]));
  write(legend);
  for (const change of changes) {
    const { changedLinks = 0, deadLinks = [], includes = [] } = files.get(change.to) ?? {};
    write(changeLine(change, changedLinks));
    for (const directive of includes) write(`    is not replaced in the library: ${directive}`);
    for (const target of deadLinks) write(`    leads to no imported file: ${target}`);
  }
  for (const { to, kind, isMoved } of stale) {
    const reason = isMoved ? 'gets another path' : 'is no longer in the folder';
    write(`${signs[kind]} ${to} ${reason}${kind === 'overwrite' ? '  (deleted)' : ''}`);
  }
  const rejected = plan.rejected.map(({ from, reason }) => [from, reason] as const);
  for (const [from, reason] of [...rejected, ...skipped]) {
    const to = kept.get(from);
    write(`× ${from}: ${reason}${to === undefined ? '' : `; ${to} stays in the library`}`);
  }
  for (const note of plan.notes) write(note);
  for (const line of summaryLines(plan, changes, stale.length, skipped.size)) write(line);
}

function changeLine({ kind, from, to, current }: ImportChange, changedLinks: number): string {
  const isDeleted = kind !== 'create' && current === undefined;
  const links = changedLinks === 0 ? '' : `  (${formatCount(changedLinks, 'link')} changed)`;
  return `${signs[kind]} ${from} → ${to}${isDeleted ? '  (deleted in the library)' : links}${kind === 'overwrite' ? '  (overwritten)' : ''}`;
}

function summaryLines(plan: ImportPlan, changes: readonly ImportChange[], stale: number, skipped: number): string[] {
  const count = (...kinds: ImportChange['kind'][]): number => changes.filter(({ kind }) => kinds.includes(kind)).length;
  const pages = plan.files.filter(({ content }) => content !== undefined);
  const broken = pages.filter(({ deadLinks }) => deadLinks.length > 0);
  const links = broken.reduce((sum, { deadLinks }) => sum + deadLinks.length, 0);
  const kinds = { mdbook: 'mdBook', docusaurus: 'Docusaurus', folder: 'Folder of Markdown files' };
  const assets = plan.files.length - pages.length;
  const rejected = formatCount(plan.rejected.length + skipped, 'file');
  return [
    `${kinds[plan.kind]}: ${formatCount(pages.length, 'page')}, ${formatCount(assets, 'asset')}, ${rejected} not imported.`,
    `Links that lead to no imported file: ${links === 0 ? 'none' : `${links}, in ${formatCount(broken.length, 'page')}`}.`,
    [
      `${count('create')} new (+), ${count('update')} changed (~), ${count('unchanged')} unchanged (=),`,
      `${count('edited')} edited in the library only (>), ${count('conflict', 'overwrite')} edited on both sides (!),`,
      `${stale} no longer in the folder or with another path and ${count('deleted')} deleted in the library (-).`,
    ].join(' '),
  ];
}
