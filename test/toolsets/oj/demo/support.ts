import { expect } from 'vitest';
import { createDemoBackend } from '../../../../src/toolsets/oj/io/demo/backend.ts';

export const token = 'Bearer demo';
const noon = new Date('2025-06-01T12:00:00Z');
export const ask = createDemoBackend(() => noon);

export function read(target: string, backend = ask): unknown {
  const reply = backend(target, token);
  expect(reply).toMatchObject({ status: 200, contentType: 'application/json' });
  return JSON.parse(reply.body);
}

export function problemDocument(status: number, title: string, detail: string) {
  return {
    status,
    contentType: 'application/problem+json',
    body: JSON.stringify({ type: 'about:blank', title, status, detail }),
  };
}

export const badRequest = (detail: string) => problemDocument(400, 'Bad Request', detail);
export const frameworkRefusal = (body: string) => ({ status: 400, contentType: 'text/plain; charset=utf-8', body });
