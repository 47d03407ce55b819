/** The bundled code of a worker thread, see worker-source.mjs. */
declare module 'worker:*' {
  const source: string;
  export default source;
}
