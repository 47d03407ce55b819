import { ignoreExpectedError } from '../log/bug.ts';
import { isRecord } from '../text/json.ts';
import type { CallContext } from '../toolset/toolset.ts';
import { isRequestId, type RequestId, type RequestParams } from './protocol.ts';

interface ProgressNotification {
  method: 'notifications/progress';
  params: { progressToken: RequestId; progress: number; total?: number; message?: string };
}

/**
 * Returns a function that sends progress notifications until the request is cancelled. It sends nothing if the request
 * has no progress token.
 */
export function createProgressReporter(
  params: RequestParams | undefined,
  signal: AbortSignal,
  send: (notification: ProgressNotification) => Promise<void>,
): CallContext['progress'] {
  const meta = params?.['_meta'];
  const progressToken = isRecord(meta) ? meta['progressToken'] : undefined;
  if (!isRequestId(progressToken)) return () => {};
  return (progress, total, message) => {
    if (signal.aborted) return;
    const optional = { ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
    const sent = send({ method: 'notifications/progress', params: { progressToken, progress, ...optional } });
    sent.catch(ignoreExpectedError); // the client has closed the connection, which also cancels the call
  };
}
