import { Connection } from '@temporalio/client';
import { searchAttributes } from '../temporal/names.ts';
import { StartError } from './home.ts';
import { until } from './processes.ts';
import type { Service } from './supervised.ts';

const UP_TIMEOUT_MS = 30_000;

export interface TemporalOptions {
  readonly program: string;
  readonly port: number;
  /** Of the UI; null for a server without one. */
  readonly uiPort: number | null;
  /** Where it keeps its state; null for in memory. */
  readonly file: string | null;
  readonly logFile: string;
}

/** Temporal's development server, with the UI and the product's search attributes. */
export function embeddedTemporal({ program, port, uiPort, file, logFile }: TemporalOptions): Service {
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
