import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { describeError } from './describe-error.ts';
import { createRedactor } from './redact.ts';

export interface LogOptions {
  readonly process: 'api' | 'worker';
  readonly level: string;
  /** The process's own secrets, removed wherever they appear. */
  readonly secrets?: readonly string[];
  /** Members added to every line, such as the current workflow. */
  readonly context?: () => Readonly<Record<string, string>>;
  /** Standard output by default. */
  readonly destination?: DestinationStream;
}

/** JSON lines, one per request or event. Secrets, e-mail and IP addresses are removed from every line. */
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
