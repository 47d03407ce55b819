import type { Deadline } from './deadline.ts';

/**
 * Limits the number of connections: a request waits for a free slot, and slots are assigned in the order of the
 * requests.
 */
export class ConnectionSlots {
  readonly #count: number;
  #used = 0;
  /**
   * The map is indexed by ticket number, so that removing a cancelled request and finding the next one take constant
   * time.
   */
  readonly #waiting = new Map<number, () => void>();
  #nextTicket = 0;
  #servedTickets = 0;

  constructor(count: number) {
    this.#count = count;
  }

  get isIdle(): boolean {
    return this.#used === 0;
  }

  /**
   * Waits for a slot and returns the function that releases it. The promise is rejected if the deadline passes first.
   */
  async acquire(deadline: Deadline): Promise<() => void> {
    if (this.#used < this.#count) this.#used++;
    else await this.#wait(deadline);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#release();
    };
  }

  #wait(deadline: Deadline): Promise<void> {
    const ticket = this.#nextTicket++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(ticket, resolve);
      deadline.onEnd(reason => {
        this.#waiting.delete(ticket);
        reject(reason);
      });
    });
  }

  /** Passes the slot directly to the next request in the queue, so that a new request cannot overtake it. */
  #release(): void {
    while (this.#servedTickets < this.#nextTicket) {
      const ticket = this.#servedTickets++;
      const grant = this.#waiting.get(ticket);
      if (grant === undefined) continue;
      this.#waiting.delete(ticket);
      grant();
      return;
    }
    this.#used--;
  }
}
