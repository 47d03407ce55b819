import type { Deadline } from './deadline.ts';

/** Gives out a fixed number of slots in the order in which they were requested. */
export class ConnectionSlots {
  readonly #count: number;
  #used = 0;
  /** By ticket number: removal of a cancelled waiter and the search for the next one cost constant time. */
  readonly #waiting = new Map<number, () => void>();
  #nextTicket = 0;
  #servedTickets = 0;

  constructor(count: number) {
    this.#count = count;
  }

  get isIdle(): boolean {
    return this.#used === 0;
  }

  /** Waits for a slot and returns the function that releases it. Rejects when the deadline ends the wait. */
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

  /** Passes the slot to the next waiter, so that a new request cannot overtake it. */
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
