import type pg from 'pg';
import { sendBatch } from './prepared-batch.ts';
import type { Bound } from './prepared-batch.ts';
import { prepare } from './statements.ts';

/** As part of a transaction, has it committed without waiting for the disk: whoever is told of it waits for what follows. */
export const WITHOUT_FLUSH: Bound = {
  statement: prepare(`select where set_config('synchronous_commit', 'off', true) is null`),
  values: [],
};

/** A transaction that leaves a mark in the log and nothing else. */
const MARK: Bound = {
  statement: prepare(`select where pg_logical_emit_message(true, 'presswork', '') is null`),
  values: [],
};

/**
 * Resolves once everything that was committed before is as safe as any commit that the server answers, on its disk and with
 * the standbys that it waits for (docs/decisions/0038).
 */
export const flush = async (client: pg.ClientBase): Promise<void> => {
  await sendBatch(client, [MARK]);
};
