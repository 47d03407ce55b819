/** Such an import is the bundled code of a thread as text, see build/embedded.mjs. */
declare module 'worker:*' {
  const source: string;
  export default source;
}
