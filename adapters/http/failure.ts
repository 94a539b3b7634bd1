/** Why there was no usable response, as in a delivery row's `error` (docs/spec/rulings.md, 7). */
export type FailureCause =
  | 'timeout'
  | 'dns'
  | 'connection'
  | 'tls'
  | 'protocol'
  | 'private_address'
  | 'redirect';

/** A request that ended without a usable response. The message is short and contains no URL, header or body. */
export class NetworkFailure extends Error {
  override name = 'NetworkFailure';
  readonly kind: FailureCause;
  /** The status of the redirect that was not followed. */
  readonly status: number | undefined;

  constructor(kind: FailureCause, message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.status = options.status;
  }
}

const MAX_DETAIL = 200;

const BY_CODE: readonly (readonly [RegExp, FailureCause])[] = [
  [/^(?:ENOTFOUND|ENODATA|EAI_)/, 'dns'],
  [/^ETIMEDOUT$/, 'timeout'],
  [
    /^(?:ERR_TLS|ERR_SSL|EPROTO$|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERROR_IN_C|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH)/,
    'tls',
  ],
  // Of Node's parser.
  [/^HPE_/, 'protocol'],
];

/**
 * Classifies an error of the resolver, the socket, TLS or the HTTP parser.
 *
 * @throws TypeError if the request itself was malformed, such as a header with a line break: a defect of the caller
 */
export function asFailure(error: unknown): NetworkFailure {
  if (error instanceof NetworkFailure) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (error instanceof TypeError) throw error;
  const detail = `${code} ${message}`.trim().slice(0, MAX_DETAIL);
  const kind = BY_CODE.find(([pattern]) => pattern.test(code))?.[1] ?? 'connection';
  return new NetworkFailure(kind, detail, { cause: error });
}
