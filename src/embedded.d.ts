/** The bundled code of a thread, see build/embedded.mjs. */
declare module 'worker:*' {
  const source: string;
  export default source;
}
