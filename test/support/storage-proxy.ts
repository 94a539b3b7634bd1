import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { environment } from './environment.ts';

/** The kind of request to storage. */
export type StorageStep = 'upload' | 'read' | 'copy' | 'remove';

/** What happens to such a request. */
export type Fault =
  /** It never reaches storage, and is never answered. */
  | 'hold-request'
  /** Storage does it, and its answer never arrives. */
  | 'hold-answer'
  /** Storage does it; half of its answer arrives, then nothing. */
  | 'stall'
  /** Storage does it; half of its answer arrives, then the connection breaks. */
  | 'cut'
  /** The connection breaks at once, as if nothing listened. */
  | 'refuse'
  | 'answer-500'
  | 'answer-503';

/**
 * The S3 server of this test run, behind a proxy that fails as it is told to. Signatures are valid, because they
 * include the proxy's host.
 */
export interface StorageProxy {
  readonly endpoint: string;
  /** Fails each request of this kind from now on. @returns resolves once the first one has failed */
  fail(step: StorageStep, fault: Fault): Promise<void>;
  /** Stops failing, and releases held requests. */
  mend(): void;
  /** The received requests, in order. */
  readonly steps: readonly StorageStep[];
  close(): Promise<void>;
}

const stepOf = ({ method, headers }: IncomingMessage): StorageStep =>
  method === 'GET' || method === 'HEAD'
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
    // The host is part of the signature, so it stays the same.
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
