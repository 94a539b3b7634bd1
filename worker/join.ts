import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { DataConverter } from '@temporalio/worker';
import type { Logger } from 'pino';
import { sdkOptions } from '../adapters/temporal/connection.ts';
import type { TemporalConnection } from '../adapters/temporal/connection.ts';
import { settledWithin } from '../runtime/with-timeout.ts';
import { setupFailed, temporalJoined } from '../observability/metrics/joining.ts';
import { prepareNamespace } from './namespace.ts';
import { persist } from './persist.ts';
import { traceCalls } from './tracing.ts';
import { keepUpkeep } from './upkeep.ts';
import { runWorkers } from './workers.ts';
import type { Crew, Workers } from './workers.ts';

/** Between two attempts to register search attributes. */
const ATTRIBUTES_AGAIN_MS = 10_000;

/** Between two looks at the files of certificates and keys. */
const MATERIAL_AGAIN_MS = 10_000;

/** Time for calls to Temporal in flight to end. */
const LEAVE_MS = 3_000;

interface Joining {
  /** Reads how to reach Temporal, with certificates and keys as they are now. */
  readonly readConnection: () => Promise<TemporalConnection>;
  readonly dataConverter?: DataConverter;
  readonly log: Logger;
  /** Called once, when Temporal is reached. */
  readonly connected: (client: Client) => void;
  readonly createWorkers: (connection: NativeConnection, namespace: string) => Promise<Workers>;
}

/** `starting`: Temporal answers, and the workers do not run yet. */
export type TemporalState = 'connecting' | 'unreachable' | 'starting' | 'running' | 'ending';

/** This process's connection to Temporal, which may start long after the process. */
export interface Membership {
  readonly state: () => TemporalState;
  /** The Temporal client, which changes with certificates and keys; null until Temporal is reached. */
  readonly client: () => Client | null;
  /** Rejects if a worker cannot continue. An unreachable or incomplete Temporal is waited for instead. */
  readonly broken: Promise<never>;
  /**
   * Shuts the workers down after they finish their tasks.
   *
   * @returns why some did not finish
   */
  end(): Promise<readonly unknown[]>;
  /** Call it after `end`. */
  close(): Promise<void>;
}

/**
 * Joins Temporal in the background: connects, sets up search attributes, runs the workers, and keeps the upkeep
 * workflows running.
 */
export function joinTemporal(joining: Joining): Membership {
  const { readConnection, dataConverter = {}, log, connected, createWorkers } = joining;
  const leaving = new AbortController();
  const { signal } = leaving;
  const broken = Promise.withResolvers<never>();
  let connection: NativeConnection | undefined;
  let client: Client | null = null;
  let crew: Crew | undefined;
  let reachable: boolean | undefined;

  const use = (reached: NativeConnection, namespace: string): Client => {
    connection = reached;
    const interceptors = { workflow: [traceCalls] };
    client = new Client({ connection: reached, namespace, interceptors, dataConverter });
    return client;
  };

  let address: string | undefined;
  const connect = async () => {
    const settings = await readConnection();
    address = settings.address;
    return { settings, reached: await NativeConnection.connect(sdkOptions(settings)) };
  };

  const join = async (): Promise<void> => {
    const { settings, reached } = await persist(signal, connect, (error) => {
      reachable = false;
      log.warn({ address, reason: String(error) }, 'Temporal cannot be reached yet');
    });
    reachable = true;
    const { namespace } = settings;
    connection = reached;
    // First, because no workflow can start with an unregistered attribute.
    const prepared = await prepare(settings);
    signal.throwIfAborted();
    connected(use(reached, namespace));
    const workers = await persist(
      signal,
      () => createWorkers(reached, namespace),
      (error) => {
        setupFailed('workers');
        log.warn({ err: error as Error, namespace }, 'the workers cannot start in Temporal yet');
      },
    );
    crew = runWorkers(workers);
    crew.broken.catch(broken.reject);
    temporalJoined();
    log.info({ namespace, version: process.version }, 'working');
    const current = (): Client => client ?? use(reached, namespace);
    await Promise.all([
      keepUpkeep(current, log, signal),
      keepConnection(settings, crew),
      prepared || keepPreparing(settings),
    ]);
  };

  /** Connects again when certificates or keys have changed. The old connection is used until the new one works. */
  const keepConnection = async (used: TemporalConnection, running: Crew): Promise<void> => {
    for (;;) {
      await setTimeout(MATERIAL_AGAIN_MS, undefined, { signal });
      try {
        const settings = await readConnection();
        if (isDeepStrictEqual(settings, used)) continue;
        const reached = await NativeConnection.connect(sdkOptions(settings));
        if (signal.aborted) return await reached.close();
        const old = connection;
        running.reconnect(reached);
        use(reached, used.namespace);
        used = settings;
        await old?.close();
        log.info('connected to Temporal with the changed certificates or key');
      } catch (error) {
        setupFailed('connection');
        log.warn(
          { reason: String(error) },
          'Temporal cannot be reached with the changed certificates or key yet',
        );
      }
    }
  };

  const prepare = async ({ namespace, address }: TemporalConnection): Promise<boolean> => {
    const done = connection !== undefined && (await prepareNamespace(connection, namespace, log, address));
    if (!done) setupFailed('search_attributes');
    return done;
  };

  /** At once: workers run, so a namespace that was missing exists by now. */
  const keepPreparing = async (settings: TemporalConnection): Promise<void> => {
    while (!(await prepare(settings))) await setTimeout(ATTRIBUTES_AGAIN_MS, undefined, { signal });
  };

  const joined = join().catch((error: unknown) => {
    if (!signal.aborted) broken.reject(error);
  });

  const state = (): TemporalState => {
    if (signal.aborted) return 'ending';
    if (reachable !== true) return reachable === undefined ? 'connecting' : 'unreachable';
    return crew?.running() ? 'running' : 'starting';
  };

  return {
    state,
    client: () => client,
    broken: broken.promise,
    async end() {
      leaving.abort();
      await settledWithin(LEAVE_MS, joined);
      return (await crew?.end()) ?? [];
    },
    close: async () => connection?.close(),
  };
}
