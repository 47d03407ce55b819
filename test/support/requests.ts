import { Failure } from '../../src/errors/failure.ts';
import { createRequestFunction } from '../../src/http/request.ts';
import type { ParsedResponse } from '../../src/http/response.ts';
import { createTransport } from '../../src/http/transport.ts';
import type { Judge } from './judge.ts';

/** The options of a request except its token. */
export const network = {
  transport: createTransport({}),
  token: undefined,
  advice: {
    rejected: (status: number, hasToken: boolean) => `Rejected with ${status}, ${hasToken ? 'a' : 'no'} token.`,
    unreachable: 'Look at the network.',
    moved: (origin: string) => `Go to ${origin}.`,
  },
};

export const never = new AbortController().signal;

export function request(
  judge: Judge,
  options: { token?: string; path?: string; deadlineMs?: number; signal?: AbortSignal } = {},
): Promise<ParsedResponse> {
  const { token, path = '/', deadlineMs = 120_000, signal = never } = options;
  return createRequestFunction({ ...network, token, deadlineMs })(judge.origin + path, signal);
}

export async function failure(promise: Promise<unknown>): Promise<Failure> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('expected a failure');
}
