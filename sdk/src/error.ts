import type { ApiErrorCode, Open, PendingApproval } from './generated/schemas.ts';

/**
 * The codes of the SDK itself.
 *
 * - `APPROVAL_REQUIRED`: an agent's request waits for a person; `approval` says which.
 * - `CONNECTION_FAILED`: there was no complete answer; `cause` says why.
 * - `TIMEOUT`: there was none in time, or a wait took too long.
 * - `UNEXPECTED_ANSWER`: the answer is not from the API.
 * - `UPLOAD_FAILED`: storage refused the bytes.
 * - `INVALID_WEBHOOK`: a delivery is not signed with the secret, or is too old.
 */
export type SdkErrorCode =
  | 'APPROVAL_REQUIRED'
  | 'CONNECTION_FAILED'
  | 'TIMEOUT'
  | 'UNEXPECTED_ANSWER'
  | 'UPLOAD_FAILED'
  | 'INVALID_WEBHOOK';

export interface PressworkErrorDetails {
  readonly status?: number;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly limit?: string | undefined;
  readonly requestId?: string | null;
  readonly retryAfter?: number | null;
  readonly approval?: PendingApproval;
  readonly cause?: unknown;
}

/** Every error of the SDK, but for an abort, which rejects with the reason of the signal, and wrong arguments. */
export class PressworkError extends Error {
  override readonly name = 'PressworkError';
  /** Branch on this, not on the status. */
  readonly code: Open<ApiErrorCode | SdkErrorCode>;
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** With `VALIDATION_FAILED`: a message for each wrong member, by its dotted path. */
  readonly fields: Readonly<Record<string, string>>;
  /** For comments: the exceeded limit. */
  readonly limit: string | undefined;
  readonly requestId: string | null;
  /** Seconds until the next try makes sense; null if the answer does not say. */
  readonly retryAfter: number | null;
  /** With `APPROVAL_REQUIRED`. */
  readonly approval: PendingApproval | undefined;

  constructor(code: PressworkError['code'], message: string, details: PressworkErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : {});
    this.code = code;
    this.status = details.status ?? 0;
    this.fields = details.fields ?? {};
    this.limit = details.limit;
    this.requestId = details.requestId ?? null;
    this.retryAfter = details.retryAfter ?? null;
    this.approval = details.approval;
  }
}
