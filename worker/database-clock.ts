import { z } from 'zod';
import type { Queryable } from '../db/statements.ts';
import { sql } from '../db/sql.ts';
import { systemClock } from '../domain/kernel/clock.ts';
import type { Clock } from '../domain/kernel/clock.ts';

const readRow = z.object({ now: z.number() });

/** The database's time: workers whose machines differ publish at the same second. Until it is read, the machine's. */
export class DatabaseClock implements Clock {
  readonly #own: Clock;
  #aheadMs = 0;

  constructor(own: Clock = systemClock) {
    this.#own = own;
  }

  now(): Date {
    return new Date(this.#own.now().getTime() + this.#aheadMs);
  }

  /** Reads the database's time, which lies between the question and the answer. Nothing changes if ours does too. */
  async read(db: Queryable): Promise<void> {
    const asked = this.#own.now().getTime();
    const { now } = await db.one(sql.type(readRow)`
      select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now`);
    const answered = this.#own.now().getTime();
    this.#aheadMs = Math.min(Math.max(this.#aheadMs, now - answered), now - asked);
  }
}
