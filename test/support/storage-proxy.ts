import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { environment } from './environment.ts';

/** What storage is asked for. */
export type StorageStep = 'upload' | 'read' | 'copy' | 'remove';

/** What happens to such a request. */
export type Fault =
  /** It never gets to storage, and is never answered. */
  | 'hold-request'
  /** Storage carries it out, and its answer never comes. */
  | 'hold-answer'
  /** Storage carries it out; of its answer half comes, then nothing. */
  | 'stall'
  /** Storage carries it out; of its answer half comes, then the connection breaks. */
  | 'cut'
  /** The connection breaks at once, as where nothing listens. */
  | 'refuse'
  | 'answer-500'
  | 'answer-503';

/** The S3 of this test run, behind a proxy that fails as it is told to. Signatures hold: they are over the proxy's address. */
export interface StorageProxy {
  readonly endpoint: string;
  /** Fails each request of a step from now on. @returns what resolves once the fault has been met */
  fail(step: StorageStep, fault: Fault): Promise<void>;
  /** Nothing fails any more; what is held is let go of. */
  mend(): void;
  /** What has come in, in order. */
  readonly steps: readonly StorageStep[];
  close(): Promise<void>;
}

const stepOf = ({ method, headers }: IncomingMessage): StorageStep =>
  method === 'GET'
    ? 'read'
    : method === 'DELETE'
      ? 'remove'
      : 'x-amz-copy-source' in headers
        ? 'copy'
        : 'upload';

export async function createStorageProxy(): Promise<StorageProxy> {
  const target = new URL(environment('S3_ENDPOINT'));
  const faults = new Map<StorageStep, { fault: Fault; met: () => void }>();
  const steps: StorageStep[] = [];

  const pass = (incoming: IncomingMessage, answer: ServerResponse, fault?: Fault, met?: () => void): void => {
    // The host stays as it was signed.
    const { method, url: path, headers } = incoming;
    const onward = request({ host: target.hostname, port: target.port, method, path, headers }, (stored) => {
      const chunks: Buffer[] = [];
      stored.on('data', (chunk: Buffer) => chunks.push(chunk));
      stored.on('end', () => {
        const body = Buffer.concat(chunks);
        if (fault !== 'hold-answer') answer.writeHead(stored.statusCode ?? 502, stored.rawHeaders);
        if (fault === undefined) answer.end(body);
        else if (fault !== 'hold-answer') {
          answer.write(body.subarray(0, body.length >> 1), () => {
            if (fault === 'cut') answer.socket?.destroy();
          });
        }
        met?.();
      });
    });
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  };

  const server = createServer((incoming, answer) => {
    const step = stepOf(incoming);
    steps.push(step);
    const failing = faults.get(step);
    if (failing === undefined) return pass(incoming, answer);
    const { fault, met } = failing;
    if (fault === 'hold-answer' || fault === 'stall' || fault === 'cut')
      return pass(incoming, answer, fault, met);
    if (fault === 'refuse') incoming.socket.destroy();
    if (fault === 'answer-500' || fault === 'answer-503') answer.writeHead(Number(fault.slice(-3))).end();
    return met();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail: (step, fault) => new Promise((resolve) => faults.set(step, { fault, met: resolve })),
    mend() {
      faults.clear();
      server.closeAllConnections();
    },
    steps,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
