import type { Context } from 'koa';
import { invalidRequest } from '../../domain/kernel/errors.ts';

/**
 * Returns a signal that is aborted after the answer has been sent, or when the client's connection closes. Node does
 * not report a closed connection to an answer that is queued after another one. The reason is only logged.
 */
export function clientGone({ req, res }: Context): AbortSignal {
  const controller = new AbortController();
  const end = (): void => {
    req.socket.off('close', end);
    controller.abort(invalidRequest('The connection was closed before the answer.'));
  };
  // Many pipelined answers may wait on one connection.
  req.socket.setMaxListeners(0);
  res.once('close', end);
  req.socket.once('close', end);
  if (req.socket.destroyed) end();
  return controller.signal;
}

/**
 * Rejects a request whose client disconnected while the request waited. The client considers it failed, and a late
 * write could undo what the client has done since.
 *
 * @throws ServiceError INVALID_REQUEST, which is only logged
 */
export function requireClient({ req }: Context): void {
  if (req.socket.destroyed)
    throw invalidRequest('The connection was closed before the request was processed.');
}
