import { randomUUID } from 'node:crypto';
import { createServer, connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { pino } from 'pino';
import { prepareNamespace } from '../../worker/namespace.ts';
import { environment } from './environment.ts';
import { eventually } from './eventually.ts';

/** The product's workflows, bundled once for all suites, as in an image. */
export const workflowBundle = { codePath: environment('WORKFLOW_BUNDLE') };

// Many tests are about activities that fail and are retried.
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  shutdownSignals: [],
  telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' } } },
});

export const silent = pino({ level: 'silent' });

/** A new namespace on the Temporal server of this test run, so that suites do not see each other's workflows. */
export interface TestTemporal {
  readonly address: string;
  readonly namespace: string;
  readonly connection: NativeConnection;
  readonly client: Client;
  close(): Promise<void>;
}

const A_DAY_S = 24 * 60 * 60;
/** A gRPC code. */
const ALREADY_EXISTS = 6;

export async function startTemporal(): Promise<TestTemporal> {
  const address = environment('TEMPORAL_ADDRESS');
  const namespace = `test-${randomUUID()}`;
  const connection = await NativeConnection.connect({ address });
  await registerNamespace(connection, namespace);
  const client = new Client({ connection, namespace });
  // A server recognises a new namespace within a second or two.
  await eventually('the namespace is known', () =>
    client.workflow.count('WorkflowType = "none"').then(
      () => true,
      () => false,
    ),
  );
  await eventually('its search attributes are registered', () =>
    prepareNamespace(connection, namespace, silent),
  );
  return { address, namespace, connection, client, close: () => connection.close() };
}

/** Repeats what fails: the server's only SQLite connection is now and then interrupted by another request's time-out. */
export async function registerNamespace(connection: NativeConnection, namespace: string): Promise<void> {
  const workflowExecutionRetentionPeriod = { seconds: A_DAY_S as never };
  await eventually('the namespace is registered', () =>
    connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod }).then(
      () => true,
      (error) => (error as { code?: unknown }).code === ALREADY_EXISTS,
    ),
  );
}

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A proxy to a server that can be cut, or hold back traffic in one direction. */
export interface Wire {
  readonly address: string;
  /** Listens, and forwards. */
  open(): Promise<void>;
  /** Refuses new connections, and closes existing ones. */
  cut(): Promise<void>;
  hold(direction: 'requests' | 'answers'): void;
  /** Forwards nothing in either direction, and closes nothing. Affected connections stay silent after `open`. */
  silence(): void;
  /** Connects to another server from now on; existing connections stay. @param target as host:port */
  lead(target: string): void;
  /** The number of forwarded request packets. */
  packets(): number;
}

/** @param target the server, as host:port; the proxy's own address survives cutting and opening */
export async function createWire(target: string): Promise<Wire> {
  let end = target;
  const pairs = new Set<readonly [client: Socket, server: Socket]>();
  const held = { requests: false, answers: false };
  let packets = 0;
  let silent = false;
  const lost = new Set<Socket>();
  let server: Server | undefined;
  const listen = (port: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const listening = createServer((client) => {
        const [host = '', port = ''] = end.split(':');
        const upstream = connect(Number(port), host);
        const pair = [client, upstream] as const;
        pairs.add(pair);
        if (silent) lost.add(client);
        for (const socket of pair) {
          socket.setNoDelay(true).on('error', () => {});
          socket.on('close', () => {
            pairs.delete(pair);
            lost.delete(client);
            for (const other of pair) other.destroy();
          });
        }
        client.on('data', (chunk) => {
          packets += 1;
          if (!held.requests && !lost.has(client)) upstream.write(chunk);
        });
        upstream.on('data', (chunk) => void (held.answers || lost.has(client) || client.write(chunk)));
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
      held.requests = held.answers = silent = false;
      if (server === undefined) await listen(port);
    },
    hold(direction) {
      held[direction] = true;
    },
    silence() {
      silent = true;
      for (const [client] of pairs) lost.add(client);
    },
    lead(target) {
      end = target;
    },
    packets: () => packets,
  };
}
