import { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { searchAttributes } from '../temporal/names.ts';

const LONGEST_PAUSE_MS = 5_000;
/** `INDEXED_VALUE_TYPE_KEYWORD` and gRPC's ALREADY_EXISTS. */
const KEYWORD = 2;
const ALREADY_EXISTS = 6;

/** Connects to Temporal, for as long as it takes: a worker may start before it. */
export async function connectPatiently(address: string, log: Logger): Promise<NativeConnection> {
  for (let pause = 250; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
    try {
      return await NativeConnection.connect({ address });
    } catch (error) {
      log.warn({ address, reason: String(error) }, 'Temporal cannot be reached yet');
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** Registers the search attributes by which operators find processes; what is there already stays. */
export async function prepareNamespace(
  connection: NativeConnection,
  namespace: string,
  log: Logger,
): Promise<void> {
  for (const { name } of Object.values(searchAttributes)) {
    try {
      await connection.operatorService.addSearchAttributes({
        namespace,
        searchAttributes: { [name]: KEYWORD },
      });
    } catch (error) {
      if ((error as { code?: number }).code === ALREADY_EXISTS) continue;
      log.warn(
        { name, reason: String(error) },
        'a search attribute could not be registered; an operator has to',
      );
    }
  }
}
