import { connect } from 'node:http2';
import type { IncomingHttpHeaders } from 'node:http2';

const OK = '0';
/** An empty request: one byte for no compression, four for the length. */
const EMPTY_MESSAGE = Buffer.alloc(5);

/**
 * Asks a Temporal server for its health, by gRPC's own health protocol. Over plain HTTP/2, since Temporal's
 * client would double the memory of a process that otherwise never talks to Temporal.
 *
 * @throws Error where it cannot be reached or is not serving
 */
export function checkTemporal(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const session = connect(`http://${address}`);
    const settle = (error?: Error): void => {
      session.destroy();
      if (error) reject(error);
      else resolve();
    };
    session.on('error', settle);
    session.setTimeout(2_000, () => settle(new Error('Temporal did not answer in time')));
    const request = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const onStatus = (headers: IncomingHttpHeaders): void => {
      const status = headers['grpc-status']?.toString();
      if (status !== undefined && status !== OK)
        settle(new Error(`Temporal's health: gRPC status ${status}`));
    };
    request.on('response', onStatus).on('trailers', onStatus).on('error', settle);
    request.on('data', () => {}).on('end', () => settle());
    request.end(EMPTY_MESSAGE);
  });
}
