// @ts-check
import { readFile } from 'node:fs/promises';

/**
 * Returns a plugin that changes one file of a dependency, found by the end of its path. The build fails if the dependency
 * is used and the file is missing or has unexpected content.
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
 * Returns an esbuild filter for paths with this end. On Windows the paths contain backslashes.
 * @param {string} ending
 */
export function pathFilter(ending) {
  return new RegExp(`(?:^|[\\\\/])${ending.replace(/[.]/g, '\\.').replaceAll('/', '[\\\\/]')}$`);
}
