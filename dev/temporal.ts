import { Connection } from '@temporalio/client';
import { searchAttributes } from '../temporal/names.ts';
import { StartError } from './home.ts';
import { until } from './processes.ts';
import type { Service } from './supervised.ts';

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

/** @throws StartError where Temporal does not answer in time */
export async function waitForTemporal(address: string, timeoutMs: number, complaint: string): Promise<void> {
  const answers = async (): Promise<boolean> => {
    try {
      const connection = await Connection.connect({ address, connectTimeout: 2_000 });
      await connection.close();
      return true;
    } catch {
      return false;
    }
  };
  if (!(await until(answers, timeoutMs))) throw new StartError(complaint);
}
