import { PressworkError } from '../../sdk/src/index.ts';
import { attendance } from './attended.ts';

/** The header of every request of the dashboard, because neither a form nor another origin can send it. */
export const own = (): Readonly<Record<string, string>> => ({ 'x-presswork': '1', ...attendance() });

interface Envelope {
  readonly data?: unknown;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly fields?: Readonly<Record<string, string>>;
  };
}

/**
 * Sends a request to the surface beside the API: account, sessions, sign-out.
 *
 * @param path below `/dashboard/api`
 * @throws PressworkError, as the client of the API does
 */
export async function request<Data>(method: string, path: string, body?: object): Promise<Data> {
  const response = await fetch(`/dashboard/api${path}`, {
    method,
    headers: { ...own(), ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new PressworkError('CONNECTION_FAILED', 'There was no answer.', { cause });
  });
  const { status, ok, headers } = response;
  const answer = (status === 204 ? {} : await response.json().catch(() => ({}))) as Envelope;
  if (ok) return answer.data as Data;
  const { code, message, fields } = answer.error ?? {
    code: 'UNEXPECTED_ANSWER',
    message: `The answer has the status ${status}.`,
  };
  const retryAfter = Number(headers.get('retry-after')) || null;
  throw new PressworkError(code, message, {
    status,
    fields,
    retryAfter,
    requestId: headers.get('request-id'),
  });
}
