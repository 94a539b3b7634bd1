import { asyncLocalStorage } from '@temporalio/activity';
import type { LogLevel, LogMetadata, Logger as SdkLogger } from '@temporalio/worker';
import type { Level, Logger } from 'pino';
import { traceIds } from '../observability/tracing/trace.ts';

/** The trace of a log line and, if an activity writes it, the workflow. */
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

/** A warning of the SDK about something intended: the pipeline's worker only has activities. */
const INTENDED = 'No workflows registered, not polling for workflow tasks';

/** Writes messages of Temporal's SDK and of workflows to the log. */
export function createSdkLogger(log: Logger): SdkLogger {
  const write = (level: LogLevel, message: string, details: LogMetadata = {}): void => {
    const name = message === INTENDED ? 'debug' : levels[level];
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

/** Renames members to the log's style and keeps plain values only; nested ones may contain anything. */
function membersOf(details: LogMetadata): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(details)) {
    if (value instanceof Error) members['err'] = value;
    else if (['string', 'number', 'boolean'].includes(typeof value)) members[snakeCase(name)] = value;
  }
  return members;
}

/** In the log, `run_id` is a pipeline run. */
const snakeCase = (name: string): string =>
  name === 'runId' ? 'workflow_run_id' : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
