import { isIP } from 'node:net';
import { failed, inSpan } from '../../observability/tracing/trace.ts';

interface Request {
  readonly url: string;
  readonly method: string;
}

interface Result {
  readonly status?: number | undefined;
  /** Why there was no usable response. */
  readonly error?: string;
}

/**
 * Makes a request inside the current trace. The span only has the host name, because paths and queries may contain a
 * receiver's secrets. The trace id is not sent: it is of no use to others
 * (docs/decisions/0027).
 */
export const traced = <Sent extends Request, Got extends Result>(
  request: Sent,
  send: (request: Sent) => Promise<Got>,
): Promise<Got> =>
  inSpan(
    { name: request.method, kind: 'client', attributes: { 'http.request.method': request.method } },
    async (span) => {
      const result = await send(request);
      if (span === null) return result;
      const host = URL.parse(request.url)?.hostname ?? '';
      const isName = host !== '' && isIP(host.replaceAll(/^\[|\]$/g, '')) === 0;
      if (isName) span.setAttribute('server.address', host);
      if (result.status !== undefined) span.setAttribute('http.response.status_code', result.status);
      if (result.error !== undefined) failed(span, { code: result.error });
      return result;
    },
  );
