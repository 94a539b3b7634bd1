import { Connection } from '@temporalio/client';
import { searchAttributes } from '../temporal/names.ts';
import { StartError } from './home.ts';
import { until } from './processes.ts';
import type { Service } from './supervised.ts';

const UP_TIMEOUT_MS = 30_000;
/** Of gRPC's status codes. */
const GRPC_NOT_FOUND = 5;

export interface TemporalOptions {
  readonly program: string;
  readonly port: number;
  /** Of the UI; null for a server without one. */
  readonly uiPort: number | null;
  /** It makes this namespace, where there is none. */
  readonly namespace?: string;
  /** Where it keeps its state; null for in memory. */
  readonly file: string | null;
  readonly logFile: string;
}

/** Temporal's development server, with the UI and the product's search attributes. */
export function embeddedTemporal(options: TemporalOptions): Service {
  const { program, port, uiPort, namespace = 'default', file, logFile } = options;
  const storage =
    file === null
      ? []
      : [
          '--db-filename',
          file,
          '--sqlite-pragma',
          'journal_mode=wal',
          '--sqlite-pragma',
          'synchronous=normal',
        ];
  const ui = uiPort === null ? ['--headless'] : ['--ui-port', String(uiPort)];
  const attributes = Object.values(searchAttributes).flatMap(({ name }) => [
    '--search-attribute',
    `${name}=Keyword`,
  ]);
  return {
    name: 'Temporal',
    role: 'server',
    command: program,
    args: [
      'server',
      'start-dev',
      '--ip',
      '127.0.0.1',
      '--port',
      String(port),
      ...ui,
      '--namespace',
      namespace,
      ...storage,
      ...attributes,
      '--log-level',
      'error',
    ],
    stopSignal: 'SIGTERM',
    logFile,
  };
}

/** Resolves where a Temporal server answers at an address. */
export async function connectTemporal(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: 2_000 });
  await connection.close();
}

/** Whether a Temporal server has a namespace. One that does not say counts as having it. */
export async function hasNamespace(address: string, namespace: string): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: 2_000 });
  try {
    await connection.withDeadline(Date.now() + 2_000, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
    return true;
  } catch (error) {
    return (error as { code?: number }).code !== GRPC_NOT_FOUND;
  } finally {
    await connection.close();
  }
}

/** @throws StartError where the embedded server does not come up */
export async function waitForTemporal(address: string): Promise<void> {
  const answers = async (): Promise<boolean> => {
    try {
      await connectTemporal(address);
      return true;
    } catch {
      return false;
    }
  };
  if (!(await until(answers, UP_TIMEOUT_MS)))
    throw new StartError('Temporal did not come up; its log is in the data folder.');
}
