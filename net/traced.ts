import { isIP } from 'node:net';
import { failed, inSpan } from '../tracing/trace.ts';

interface Request {
  readonly url: string;
  readonly method: string;
}

interface Result {
  readonly status?: number | undefined;
  /** Why no usable response came. */
  readonly error?: string;
}

/**
 * Makes a request as a part of the trace under way. Of its address the span has the host's name alone: paths and
 * queries hold secrets of receivers. The trace's id is not sent along: it is of no use to strangers
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
