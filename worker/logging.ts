import { asyncLocalStorage } from '@temporalio/activity';
import type { LogLevel, LogMetadata, Logger as SdkLogger } from '@temporalio/worker';
import type { Level, Logger } from 'pino';
import { traceIds } from '../tracing/trace.ts';

/** The workflow that a line is written for, where it is written by one of its activities, and the trace. */
export function logContext(): Readonly<Record<string, string>> {
  const execution = asyncLocalStorage.getStore()?.info.workflowExecution;
  return { ...(execution && { workflow_id: execution.workflowId }), ...traceIds() };
}

const levels: Readonly<Record<LogLevel, Level>> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

/** What Temporal's SDK has to say, and workflows themselves, as lines of the log. */
export function createSdkLogger(log: Logger): SdkLogger {
  const write = (level: LogLevel, message: string, details: LogMetadata = {}): void => {
    const name = levels[level];
    if (log.isLevelEnabled(name)) log[name](membersOf(details), message);
  };
  return {
    log: write,
    trace: (message, details) => write('TRACE', message, details),
    debug: (message, details) => write('DEBUG', message, details),
    info: (message, details) => write('INFO', message, details),
    warn: (message, details) => write('WARN', message, details),
    error: (message, details) => write('ERROR', message, details),
  };
}

/** Names as in the rest of the log, and plain values alone: what is deeper may be anything. */
function membersOf(details: LogMetadata): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(details)) {
    if (value instanceof Error) members['err'] = value;
    else if (['string', 'number', 'boolean'].includes(typeof value)) members[snakeCase(name)] = value;
  }
  return members;
}

/** `run_id` is a run of the pipeline's. */
const snakeCase = (name: string): string =>
  name === 'runId' ? 'workflow_run_id' : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
