/** Runs one task at a time, in the order of the calls. A failed task does not stop the next one. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  async run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return await result;
  }
}
