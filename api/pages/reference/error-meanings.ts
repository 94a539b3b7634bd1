import type { ErrorCode } from '../../../domain/kernel/errors.ts';

/** When each code is answered, and what to do (docs/spec/service-api.md, Errors). */
export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  INVALID_REQUEST:
    'A header, a query parameter or the form of the body is wrong. With 404 the path, with 405 the method, with 413 the size and with 415 the content type.',
  INVALID_API_KEY: 'The key is missing or wrong.',
  API_KEY_REVOKED: 'The key was revoked, or this secret was replaced by a rotation.',
  API_KEY_EXPIRED: 'The key has expired.',
  NOT_ENTITLED: 'The plan lacks the AI pipeline.',
  INSUFFICIENT_CREDITS: 'The organisation cannot pay the next unit of work.',
  SPEND_CAP_REACHED: 'The monthly spend cap of the Site is reached.',
  INSUFFICIENT_SCOPE:
    'The key lacks the scope, its person the permission, or it is publishable and the operation is not open to such keys.',
  AGENT_ACCESS_DISABLED: 'The organisation has switched off access by agents.',
  APPROVAL_DENIED: 'A person denied this request of an agent.',
  FORBIDDEN: 'No scope allows this: for example, an agent decides an approval.',
  NOT_FOUND: 'The object does not exist in this Site.',
  COMMENTS_DISABLED: 'Comments are switched off in this Site.',
  PARENT_NOT_FOUND: 'The comment that is replied to does not exist, or is not approved.',
  SLUG_CONFLICT: 'The slug is taken. Send another one.',
  IDEMPOTENCY_KEY_CONFLICT:
    'The Idempotency-Key was used with a different body. Use a new key for a new request.',
  IDEMPOTENCY_KEY_IN_FLIGHT:
    'The first request with this Idempotency-Key is still running. Wait, then repeat it.',
  CONFLICT: 'The request does not fit the current state. The message says what does.',
  APPROVAL_INVALID:
    'The approval is pending, expired, used, unknown, or for another request. Repeat the request without Service-Approval to ask again.',
  PREREQUISITE_MISSING: 'Something has to be set up first. The message names the operation.',
  FEATURE_UNAVAILABLE: 'The feature is switched off. The message names an alternative.',
  PRECONDITION_FAILED:
    'If-Match names another version than the current one. Nothing was written: read again.',
  VALIDATION_FAILED: 'Values cannot be accepted. error.fields has a message for each field.',
  COMMENTS_CLOSED: 'The article takes no new comments.',
  RATE_LIMIT_EXCEEDED: 'A limit of the key, its Site or its organisation is exceeded. Wait for Retry-After.',
  INTERNAL_ERROR: 'The service failed. Repeat the request, with the same Idempotency-Key.',
  MAINTENANCE:
    'Writes are paused, a search took longer than its second, or the service cannot do this at the moment. Wait for Retry-After.',
};
