import { type Connection, connect } from './support/client.ts';
import { type TemporaryLibrary, temporaryLibrary } from './support/library.ts';

export const book = 'sample-book';
export const part = 'content/01-Basics';
export const chapter = `${part}/01-Start`;
export const lesson = `${chapter}/01-intro.md`;
export const lessonKey = `books/${book}/${lesson}`;
export const introText = '# Intro\n\nHello, reader.  \n';

/** Creates a library with a sample book, which has two parts, files of users, and images in both image folders. */
export function sampleLibrary(): TemporaryLibrary {
  const library = temporaryLibrary('memory');
  const put = (path: string, bytes: string | Uint8Array): void => library.put(`books/${book}/${path}`, bytes);
  put('content/README.md', '# Book\n');
  put(`${part}/README.md`, '# Part\n');
  put(`${chapter}/README.md`, '# Chapter\n');
  put(lesson, introText);
  put(`${chapter}/01-intro.summary.md`, 'In short: hello.\n');
  put(`${chapter}/02-more.md`, '# More\n\nTODO: tell more\n');
  put(`${part}/02-End/01-bye.md`, '# Bye\n');
  put('content/02-Extra/01-Only/01-one.md', '# One\nTODO later\n');
  put(`users/ada/${lesson}`, '# Intro, for Ada\n');
  put(`users/ada/${chapter}/09-own.md`, "# Ada's own\n");
  put(`users/bob/${lesson}`, '# Intro, for Bob\n');
  put('static/img/one.png', 'first picture');
  put('static/images/two.png', 'second picture');
  put('static/slides/deck/a.pdf', 'slides');
  return library;
}

export interface Sample extends AsyncDisposable {
  library: TemporaryLibrary;
  call: Connection['call'];
  connection: Connection;
}

/** Opens a server with the sample library. */
export async function openSample(...flags: string[]): Promise<Sample> {
  return await openSampleWith([], ...flags);
}

/** Opens a server that loads modules before its own code. */
export async function openSampleWith(preload: readonly string[], ...flags: string[]): Promise<Sample> {
  const library = sampleLibrary();
  const connection = await connect({ args: ['--toolsets', 'books', '--books-root', library.root, ...flags], preload });
  return {
    library,
    connection,
    call: async (...args) => await connection.call(...args),
    async [Symbol.asyncDispose]() {
      // The server is closed first, because a running server would create the removed files again.
      await connection.close();
      library[Symbol.dispose]();
    },
  };
}
