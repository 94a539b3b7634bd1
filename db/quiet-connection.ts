import type pg from 'pg';

/** What the driver asks the server for with every statement. */
type Question = 'describe' | 'sync';

/**
 * A connection as a statement sees it that does without some of what the driver asks for.
 *
 * @returns gives it for a connection; made once for each: with another object every time, all calls of the driver slow down
 */
export function without(...questions: readonly Question[]): (connection: pg.Connection) => pg.Connection {
  const made = new WeakMap<pg.Connection, pg.Connection>();
  return (connection) => {
    let quiet = made.get(connection);
    if (quiet === undefined) {
      quiet = Object.create(connection) as pg.Connection;
      for (const question of questions) quiet[question] = () => {};
      made.set(connection, quiet);
    }
    return quiet;
  };
}
