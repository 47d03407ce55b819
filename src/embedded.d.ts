/** An import with the prefix `worker:` is a string with the bundled code of a thread, see build/embedded.mjs. */
declare module 'worker:*' {
  const source: string;
  export default source;
}
