import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

const LOOPBACK = '127.0.0.1';

/**
 * Listens for a moment, on any free port where it is 0.
 *
 * @returns the port that was listened on, or the system's code of why not
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

/** Where a browser on this machine reaches what listens on the host and port. */
export function originOf(port: number, host: string): string {
  const reached = host === '0.0.0.0' ? LOOPBACK : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
