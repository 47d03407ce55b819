/**
 * An import with the prefix `worker:` is a string with the bundled code of a thread. The plugin is in
 * build/embedded.mjs.
 */
declare module 'worker:*' {
  const source: string;
  export default source;
}
