import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { searchAttributes } from '../workflows/names.ts';

/** `INDEXED_VALUE_TYPE_KEYWORD`. */
const KEYWORD = 2;
/** gRPC codes: the attribute exists; only an operator may register attributes on this server. */
const ALREADY_EXISTS = 6;
const OPERATORS_ONLY: readonly unknown[] = [7, 12, 16];
/** gRPC codes of a server that does not answer; the next call would fail too. */
const AWAY: readonly unknown[] = [4, 14];
const CALL_TIMEOUT_MS = 5_000;

/**
 * Registers the search attributes for operators; existing ones stay. If only an operator may, as on Temporal Cloud, logs
 * the command that does it.
 *
 * @param address of the server, for that command
 * @returns false if a retry is needed
 */
export async function prepareNamespace(
  connection: NativeConnection,
  namespace: string,
  log: Logger,
  address = '127.0.0.1:7233',
): Promise<boolean> {
  const missing: string[] = [];
  let done = true;
  for (const { name } of Object.values(searchAttributes)) {
    try {
      await inTime(connection, () =>
        connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { [name]: KEYWORD } }),
      );
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code === ALREADY_EXISTS) continue;
      if (OPERATORS_ONLY.includes(code)) {
        missing.push(name);
        continue;
      }
      done = false;
      log.warn({ name, reason: String(error) }, 'a search attribute could not be registered yet');
      if (AWAY.includes(code)) return false;
    }
  }
  const registered = missing.length === 0 ? [] : await listRegistered(connection, namespace);
  const left = missing.filter((name) => !registered.includes(name));
  if (left.length > 0)
    log.warn(
      { names: left, command: commandFor(left, namespace, address) },
      'search attributes are missing, and only an operator may register them: run the command',
    );
  return done;
}

const inTime = <Result>(connection: NativeConnection, call: () => Promise<Result>): Promise<Result> =>
  connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, call);

/** Empty if the server does not say. */
async function listRegistered(connection: NativeConnection, namespace: string): Promise<readonly string[]> {
  try {
    const { customAttributes } = await inTime(connection, () =>
      connection.operatorService.listSearchAttributes({ namespace }),
    );
    return Object.keys(customAttributes);
  } catch {
    return [];
  }
}

/** Temporal Cloud has a command of its own for this. */
function commandFor(names: readonly string[], namespace: string, address: string): string {
  if (/\.(tmprl\.cloud|api\.temporal\.io):\d+$/.test(address)) {
    const attributes = names.map((name) => `--search-attribute ${name}=Keyword`).join(' ');
    return `tcld namespace search-attributes add --namespace ${namespace} ${attributes}`;
  }
  const attributes = names.map((name) => `--name ${name} --type Keyword`).join(' ');
  return `temporal operator search-attribute create --address ${address} --namespace ${namespace} ${attributes}`;
}
