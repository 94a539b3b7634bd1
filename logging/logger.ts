import { pino } from 'pino';
import type { Logger } from 'pino';

/** JSON lines on standard output, one a request or event, without secrets. */
export function createLogger(process: 'api' | 'worker', level: string): Logger {
  return pino(
    { name: `presswork-${process}`, level, base: { process } },
    pino.destination({ dest: 1, sync: false, minLength: 8_192, periodicFlush: 250 }),
  );
}
