// @ts-check
import { readFile } from 'node:fs/promises';

/**
 * A plugin that changes one file of a dependency, known by how its path ends. The build fails if the dependency is used
 * and the file is not there any more, or no longer looks as expected.
 * @param {string} name
 * @param {string} ending
 * @param {(source: string) => string} change
 * @returns {import('esbuild').Plugin}
 */
export function rewrite(name, ending, change) {
  return {
    name,
    setup(build) {
      let matches = 0;
      build.onLoad({ filter: pathFilter(ending) }, async ({ path: file }) => {
        matches++;
        const source = await readFile(file, 'utf8');
        const contents = change(source);
        if (contents === source) throw new Error(`${name}: nothing to change in ${file}`);
        return { contents, loader: 'js' };
      });
      build.onEnd(({ metafile }) => {
        const isUsed = Object.keys(metafile?.inputs ?? {}).some(input =>
          input.includes(`/${ending.split('/', 1)[0]}/`),
        );
        if (isUsed && matches !== 1) throw new Error(`${name}: expected one file, found ${matches}`);
      });
    },
  };
}

/**
 * A filter of esbuild for the files whose path ends like this: on Windows it is given paths with backslashes.
 * @param {string} ending
 */
export function pathFilter(ending) {
  return new RegExp(`(?:^|[\\\\/])${ending.replace(/[.]/g, '\\.').replaceAll('/', '[\\\\/]')}$`);
}
