import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { LISTENER } from './listener.ts';

const pidRow = z.object({ pid: z.number() });

/** A worker that has not checked its connection for this long is not counted, such as one that is suspended. */
const SILENT_S = 10;

/**
 * Divides notifications among all workers, which each hear all. The workers are the connections that listen, as PostgreSQL knows them: one
 * that is killed is gone with its connection. While workers come and go, two may take the same, which leases and row
 * locks make harmless, or nobody, which the polls find.
 */
export class Peers {
  readonly #db: Database;
  readonly #own: () => number | null;
  #pids: readonly number[] = [];

  /** @param own the process id of this worker's listening connection in PostgreSQL; null if there is none */
  constructor(db: Database, own: () => number | null) {
    this.#db = db;
    this.#own = own;
  }

  /** Reads which workers there are. */
  async refresh(): Promise<void> {
    const rows = await this.#db.any(sql.type(pidRow)`
      select pid from pg_stat_activity
      where datname = current_database() and application_name = ${LISTENER}
        and query_start > now() - make_interval(secs => ${SILENT_S}::int)`);
    this.#pids = rows.map(({ pid }) => pid);
  }

  /**
   * Whether this worker is the one of them to take it. A worker that is not among them takes everything.
   *
   * @param id of the endpoint or Site
   */
  takes(id: string): boolean {
    const own = this.#own();
    if (own === null || !this.#pids.includes(own)) return true;
    // The highest rank wins, so that another worker only takes over from it the work it wins itself.
    const mine = rank(own, id);
    return this.#pids.every((pid) => rank(pid, id) <= mine);
  }
}

const rank = (pid: number, id: string): string => hash('sha1', `${pid} ${id}`);
