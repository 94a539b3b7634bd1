import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

const LOOPBACK = '127.0.0.1';

/**
 * Listens for a moment; port 0 means any free port.
 *
 * @returns the port, or the system's error code
 */
export function listenOnce(port: number, host = LOOPBACK): Promise<number | string> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen(port, host, () => {
      const { port: got } = server.address() as AddressInfo;
      server.close(() => done(got));
    });
  });
}
