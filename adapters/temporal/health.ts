import { connect, constants } from 'node:http2';
import type { IncomingHttpHeaders, IncomingHttpStatusHeader } from 'node:http2';
import type { TemporalConnection } from './connection.ts';

const OK = '0';
/** Of a missing or wrong API key: unauthenticated, and permission denied. */
const REFUSED: readonly unknown[] = ['16', '7'];

/** Temporal answered, and refuses this client. */
export class TemporalRefused extends Error {
  override name = 'TemporalRefused';
}

/** An empty request: one byte for no compression, four for the length. */
const EMPTY_MESSAGE = Buffer.alloc(5);

/**
 * Checks that a Temporal server answers, over a connection like the worker's: with the same certificates and API key. It
 * asks what each of Temporal's clients asks first, which Temporal Cloud answers too. It uses plain HTTP/2, because
 * Temporal's client would double the memory of a process that otherwise never talks to Temporal.
 *
 * @throws TemporalRefused if it refuses this client, Error if it cannot be reached
 */
export function checkTemporal({ address, tls, apiKey, metadata }: TemporalConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    const session =
      tls === null
        ? connect(`http://${address}`)
        : connect(`https://${address}`, {
            ca: tls.serverRootCACertificate,
            cert: tls.clientCertPair?.crt,
            key: tls.clientCertPair?.key,
            ...(tls.serverNameOverride !== undefined && { servername: tls.serverNameOverride }),
          });
    const settle = (error?: Error): void => {
      session.destroy();
      if (error) reject(error);
      else resolve();
    };
    session.on('error', settle);
    session.setTimeout(2_000, () => settle(new Error('Temporal did not answer in time')));
    const request = session.request({
      ...metadata,
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ':method': 'POST',
      ':path': '/temporal.api.workflowservice.v1.WorkflowService/GetSystemInfo',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    let answered = false;
    const onStatus = (headers: IncomingHttpHeaders & IncomingHttpStatusHeader): void => {
      const { ':status': http = constants.HTTP_STATUS_OK, 'grpc-status': status } = headers;
      answered ||= status === OK;
      // The status of gRPC says more, if there is one.
      if (http !== constants.HTTP_STATUS_OK && status === undefined)
        settle(new Error(`Temporal answered with HTTP ${http}`));
      else if (status !== undefined && status !== OK) {
        const Failure = REFUSED.includes(status) ? TemporalRefused : Error;
        settle(new Failure(`Temporal answered with gRPC status ${status.toString()}`));
      }
    };
    request.on('response', onStatus).on('trailers', onStatus).on('error', settle);
    request.on('close', () => settle(answered ? undefined : new Error('Temporal gave no answer')));
    request.resume();
    request.end(EMPTY_MESSAGE);
  });
}
