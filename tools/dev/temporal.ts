import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { Connection } from '@temporalio/client';
import { sdkOptions } from '../../adapters/temporal/connection.ts';
import type { TemporalConnection } from '../../adapters/temporal/connection.ts';
import { searchAttributes } from '../../workflows/names.ts';
import { StartError } from './home.ts';
import { until } from './processes.ts';
import type { Service } from './supervised.ts';

const UP_TIMEOUT_MS = 30_000;
/** gRPC status codes. */
const GRPC_NOT_FOUND = 5;

export interface TemporalOptions {
  readonly program: string;
  readonly port: number;
  /** The port of the UI; null for a server without one. */
  readonly uiPort: number | null;
  readonly namespace?: string;
  /** The file with its state; null for in memory. */
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

/**
 * Notes that the server is about to make its file, which it does in steps and only if there is none. A start that is
 * killed meanwhile leaves the note, by which the next one knows that no server can use the file.
 *
 * @returns what to call once the server answers
 */
export function noteNewFile(file: string): () => void {
  const note = `${file}.new`;
  if (existsSync(note))
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  if (!existsSync(file)) writeFileSync(note, '', { mode: 0o600 });
  return () => rmSync(note, { force: true });
}

/** Resolves if a Temporal server answers at the address. */
async function connectTemporal(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: 2_000 });
  await connection.close();
}

/** Whether a Temporal server has the connection's namespace. True if the server does not say. */
export async function hasNamespace(settings: TemporalConnection): Promise<boolean> {
  const { namespace } = settings;
  const connection = await Connection.connect({ ...sdkOptions(settings), connectTimeout: 2_000 });
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

/** @throws StartError if the embedded server does not start */
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
    throw new StartError('Temporal did not start; its log is in the data folder.');
}
