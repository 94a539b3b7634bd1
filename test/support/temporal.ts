import { randomUUID } from 'node:crypto';
import { createServer, connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { pino } from 'pino';
import { prepareNamespace } from '../../worker/namespace.ts';
import { environment } from './environment.ts';
import { eventually } from './eventually.ts';

export const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));

// Activities that fail, and are tried again, are what many of these tests are about.
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  shutdownSignals: [],
  telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
});

export const silent = pino({ level: 'silent' });

/** A namespace of its own on the Temporal server of this test run: suites do not see each other's processes. */
export interface TestTemporal {
  readonly address: string;
  readonly namespace: string;
  readonly connection: NativeConnection;
  readonly client: Client;
  close(): Promise<void>;
}

const A_DAY_S = 24 * 60 * 60;

export async function startTemporal(): Promise<TestTemporal> {
  const address = environment('TEMPORAL_ADDRESS');
  const namespace = `test-${randomUUID()}`;
  const connection = await NativeConnection.connect({ address });
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: A_DAY_S as never },
  });
  const client = new Client({ connection, namespace });
  // A server notices a new namespace within a second or two.
  await eventually('the namespace is known', () =>
    client.workflow.count('WorkflowType = "none"').then(
      () => true,
      () => false,
    ),
  );
  await prepareNamespace(connection, namespace, silent);
  return { address, namespace, connection, client, close: () => connection.close() };
}

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A wire to a server that can be cut, or hold back what flows over it in one direction. */
export interface Wire {
  readonly address: string;
  /** Listens, and passes on. */
  open(): Promise<void>;
  /** Refuses connections, and breaks those there are. */
  cut(): Promise<void>;
  hold(direction: 'requests' | 'answers'): void;
}

/** @param target the server, as host:port; the wire's own address stays the same through cutting and opening */
export async function createWire(target: string): Promise<Wire> {
  const [host = '', targetPort = ''] = target.split(':');
  const pairs = new Set<readonly [client: Socket, server: Socket]>();
  const held = { requests: false, answers: false };
  let server: Server | undefined;
  const listen = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const listening = createServer((client) => {
        const upstream = connect(Number(targetPort), host);
        const pair = [client, upstream] as const;
        pairs.add(pair);
        for (const socket of pair) {
          socket.setNoDelay(true).on('error', () => {});
          socket.on('close', () => {
            pairs.delete(pair);
            for (const other of pair) other.destroy();
          });
        }
        client.on('data', (chunk) => void (held.requests || upstream.write(chunk)));
        upstream.on('data', (chunk) => void (held.answers || client.write(chunk)));
      });
      server = listening;
      listening.on('error', reject);
      listening.listen(port, '127.0.0.1', () => resolve((listening.address() as AddressInfo).port));
    });
  const port = await listen(0);
  const cut = async (): Promise<void> => {
    const closing = server;
    server = undefined;
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    if (closing) await new Promise((resolve) => closing.close(resolve));
  };
  return {
    address: `127.0.0.1:${port}`,
    cut,
    async open() {
      held.requests = held.answers = false;
      if (server === undefined) await listen(port);
    },
    hold(direction) {
      held[direction] = true;
    },
  };
}
