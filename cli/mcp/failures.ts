import { INTERNAL_ERROR, SdkHttpError } from '@modelcontextprotocol/client';
import type { JSONRPCErrorResponse } from '@modelcontextprotocol/client';

interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** How a request ends for the client that the server did not answer. */
export function failureOf(error: unknown): JsonRpcError {
  if (!(error instanceof SdkHttpError)) return { code: INTERNAL_ERROR, message: reasonOf(error) };
  const body = parsed((error.data as { text?: unknown }).text);
  const given = (body?.error ?? {}) as { code?: unknown; message?: unknown; data?: unknown };
  // The server's own refusal of a message; other members than these are not part of one.
  if (typeof given.code === 'number' && typeof given.message === 'string')
    return {
      code: given.code,
      message: given.message,
      ...(given.data !== undefined && { data: given.data }),
    };
  const status = error.status;
  if (typeof given.code === 'string' && typeof given.message === 'string')
    return {
      code: INTERNAL_ERROR,
      message: `${given.code}: ${given.message}`,
      data: { status, code: given.code },
    };
  return {
    code: INTERNAL_ERROR,
    message: `Presswork answered with status ${status ?? 'unknown'}.`,
    data: { status },
  };
}

export const answerWith = (id: string | number | null, error: JsonRpcError): JSONRPCErrorResponse => ({
  jsonrpc: '2.0',
  // JSON-RPC has null for a message whose id is unknown, which the SDK's type has not.
  id: id as string | number,
  error,
});

function parsed(text: unknown): { readonly error?: unknown } | null {
  try {
    return JSON.parse(String(text)) as { error?: unknown } | null;
  } catch {
    return null;
  }
}

/** Of a failed connection, the code of the operating system says more than the message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'Presswork did not answer in time.';
  for (let { cause } = error; cause instanceof Error; { cause } = cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // A failure at a file has its path, and says so itself.
    if (typeof code === 'string' && !('path' in cause)) return `Presswork cannot be reached (${code}).`;
  }
  return error.message;
}
