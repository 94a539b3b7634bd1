import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { describeError } from './describe-error.ts';
import { createRedactor } from './redact.ts';

export interface LogOptions {
  readonly process: 'api' | 'worker';
  readonly level: string;
  /** The process's own, which are not to be seen wherever they come from. */
  readonly secrets?: readonly string[];
  /** What a line says beside what it was given, such as the workflow it was written in. */
  readonly context?: () => Readonly<Record<string, string>>;
  /** Standard output unless said otherwise. */
  readonly destination?: DestinationStream;
}

/** JSON lines, one a request or event. Whatever a line holds, it leaves without secrets, e-mail and IP addresses. */
export function createLogger({ process, level, secrets = [], context, destination }: LogOptions): Logger {
  const redact = createRedactor(secrets);
  return pino(
    {
      name: `presswork-${process}`,
      level,
      base: { process },
      serializers: { err: describeError },
      hooks: { streamWrite: redact },
      ...(context && { mixin: context }),
    },
    destination ?? pino.destination({ dest: 1, sync: false, minLength: 8_192, periodicFlush: 250 }),
  );
}
