export type DemoReply = {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
};

const titles = { 400: 'Bad Request', 401: 'Unauthorized', 404: 'Not Found' } as const;

export function jsonReply(value: unknown): DemoReply {
  return { status: 200, contentType: 'application/json', body: JSON.stringify(value) };
}

/** What a handler of the backend says when it refuses: RFC 7807. */
export function problemReply(status: keyof typeof titles, detail: string): DemoReply {
  const body = JSON.stringify({ type: 'about:blank', title: titles[status], status, detail });
  return { status, contentType: 'application/problem+json', body };
}

/** What the framework under the backend says before a handler is asked: plain text. */
export function frameworkReply(message: string): DemoReply {
  return { status: 400, contentType: 'text/plain; charset=utf-8', body: message };
}

export const noRouteReply: DemoReply = { status: 404, contentType: undefined, body: '' };

/** Leaves a handler early; `backend.ts` catches it and sends the reply. */
export class Refusal extends Error {
  readonly reply: DemoReply;

  constructor(reply: DemoReply) {
    super(reply.body);
    this.name = 'Refusal';
    this.reply = reply;
  }
}
