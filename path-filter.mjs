/** A filter of esbuild for the files whose path ends like this: on Windows it is given paths with backslashes. */
export function pathFilter(ending) {
  return new RegExp(`(?:^|[\\\\/])${ending.replace(/[.]/g, '\\.').replaceAll('/', '[\\\\/]')}$`);
}
