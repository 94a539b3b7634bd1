import { PressworkError } from '../../../../sdk/src/index.ts';
import type { Failure } from './save-state.ts';

/** The meaning of an error for saving. Whatever it is, the text stays and is sent again. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof PressworkError)) return { kind: 'later', offline: false, retryAfterMs: null };
  const { code, status, message, fields, retryAfter } = error;
  if (status === 412) return { kind: 'stale' };
  if (status === 401) return { kind: 'signedOut' };
  if (status === 404) return { kind: 'gone' };
  const retryAfterMs = retryAfter === null ? null : retryAfter * 1_000;
  const isNoAnswer = code === 'CONNECTION_FAILED' || code === 'TIMEOUT';
  if (isNoAnswer || code === 'IDEMPOTENCY_KEY_IN_FLIGHT' || status === 429 || status >= 500 || status < 400) {
    return { kind: 'later', offline: isNoAnswer, retryAfterMs };
  }
  // It says so in words only.
  const refused =
    code === 'SLUG_CONFLICT' && fields['slug'] === undefined ? { ...fields, slug: message } : fields;
  return { kind: 'refused', message, fields: refused };
}
