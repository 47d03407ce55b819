import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as fc from '../../../support/property.ts';
import { filesIn, openSession, type Session, temporaryFolder } from './session.ts';

const pages = {
  'intro.md': '# Intro\n\n[recursion](basics/recursion.md) ![logo](/img/logo.png)\n',
  'basics/recursion.md': '---\nsidebar_position: 2\n---\n# Recursion\n\n[stack](./stack.mdx#top) [none](none.md)\n',
  'basics/stack.mdx': "import img from '../img/stack.png';\n\n# Stack\n\n<img src={img} /> [r](./recursion.md)\n",
  'basics/deep/heap.md': '# Heap\n\n[intro](../../intro.md)\n',
  'more/adt.md': '# Adt\n\n[intro](../intro.md) ![s](../img/stack.png)\n',
  'more/quiz.md': '# Quiz\n',
  'img/stack.png': 'a picture',
} as const;

function below(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(pages).map(([name, text]) => [`${folder}/${name}`, text]));
}

const sidebars = `module.exports = { main: ['intro',
  { type: 'category', label: 'Basics', items: ['basics/recursion', 'basics/stack', 'basics/deep/heap'] },
  { type: 'category', label: 'More', items: ['more/adt', 'more/quiz'] }] };\n`;
const summary = `# Summary

[Intro](intro.md)

# Basics

- [Recursion](basics/recursion.md)
  - [Stack](basics/stack.mdx)
- [Heap](basics/deep/heap.md)

# More

- [Adt](more/adt.md)

---

[Quiz](more/quiz.md)
`;

const books: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Docusaurus with a literal sidebar': { ...below('docs'), 'sidebars.js': sidebars, 'static/img/logo.png': 'logo' },
  'Docusaurus with an automatic sidebar': {
    ...below('docs'),
    'docusaurus.config.js': "module.exports = { title: 'Site' };\n",
    'docs/more/_category_.json': '{ "label": "More", "position": 1 }',
    'static/img/logo.png': 'logo',
  },
  mdBook: { ...below('src'), 'src/SUMMARY.md': summary, 'book.toml': '[book]\ntitle = "Book"\n' },
  'a folder of Markdown files': { ...pages, 'README.md': '# Notes\n\n[intro](intro.md)\n' },
  'no folder': {},
};

/** One change of the library. The numbers select lessons among those that exist at that time. */
const step = fc.record({
  kind: fc.constantFrom('new', 'edit', 'retitle', 'delete', 'move', 'rename'),
  lesson: fc.nat(50),
  other: fc.nat(50),
  number: fc.integer({ min: 1, max: 98 }),
  name: fc.constantFrom('Tail-calls', 'index', 'Stack', 'summary', 'Zebra'),
  isNewChapter: fc.boolean(),
  form: fc.constantFrom('', './', '<>'),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const contentIn = (library: string): Record<string, string> => {
  const { 'import.json': _, ...files } = filesIn(library);
  return files;
};
const isLesson = (file: string): boolean => /^content\/.*\/\d\d-[^/]+\.mdx?$/.test(file);

function linkTo(folder: string, target: string, form: Step['form']): string {
  const address = path.posix.relative(folder, target);
  return form === '<>' ? `[link](<${address}>)` : `[link](${address.startsWith('.') ? '' : form}${address})`;
}

async function applyStep({ library, write, move, remove }: Session, change: Step): Promise<void> {
  const files = filesIn(library);
  const lessons = Object.keys(files).filter(isLesson);
  const lesson = lessons[change.lesson % Math.max(lessons.length, 1)] ?? 'content/01-A/01-B/01-c.md';
  const chapter = change.isNewChapter ? `content/0${change.number % 9}-New/01-Chapter` : path.posix.dirname(lesson);
  const target = `${chapter}/${String(change.number).padStart(2, '0')}-${change.name}.md`;
  const link = linkTo(chapter, lessons[change.other % Math.max(lessons.length, 1)] ?? lesson, change.form);
  const isFree = files[target] === undefined;
  const text = files[lesson];
  if (change.kind === 'new' && isFree) await write(target, `# ${change.name}\n\n${link} ![p](../none.png)\n`);
  if (text === undefined) return;
  const own = linkTo(path.posix.dirname(lesson), lessons[change.other % lessons.length] ?? lesson, change.form);
  if (change.kind === 'edit') await write(lesson, `${text}\nEdited ${change.number}. ${own}\n`);
  if (change.kind === 'retitle') await write(lesson, `---\nsidebar_position: ${change.number}\n---\n# Z ${own}\n`);
  if (change.kind === 'delete' && lessons.length > 1) await remove(lesson);
  if (change.kind === 'move' && isFree) await move(lesson, target);
  if (change.kind === 'rename' && isFree) {
    await write(target, text);
    await remove(lesson);
  }
}

/** Imports a folder and expects that the library does not change and that there is no conflict. */
async function expectNoChange({ library, lines, runImport }: Session, folder: string): Promise<void> {
  const before = contentIn(library);
  const start = lines.length;
  expect(await runImport(true, folder)).toBe(true);
  expect(lines.slice(start).filter(line => /^[!~+] /.test(line))).toEqual([]);
  expect(contentIn(library)).toEqual(before);
}

describe('an export and a later import', () => {
  test.each(Object.keys(books))('change nothing in the library after random edits of %s', async name => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 2 }),
        async rounds => {
          const session = openSession(books[name] ?? {});
          if (name !== 'no folder') await session.runImport();
          else await session.write('content/01-A/01-B/01-c.md', '# C\n');
          const folders = [session.source, path.join(temporaryFolder(), 'new')];
          for (const steps of rounds) {
            for (const one of steps) await applyStep(session, one);
            for (const folder of folders) expect(await session.runExport(folder)).toBe(true);
            for (const folder of [...folders, ...folders]) await expectNoChange(session, folder);
          }
        },
      ),
      { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 4) },
    );
  });
});
