import type { Logger } from 'pino';
import type { Settings } from '../../runtime/settings.ts';
import type { Collector } from './collector.ts';

/** Starts tracing if the settings name a collector. Otherwise OpenTelemetry's SDK is not loaded. @returns null then */
export async function startTracing(
  process: 'api' | 'worker',
  settings: Settings,
  log: Logger,
): Promise<Collector | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = settings;
  if ((all ?? traces) === undefined || settings.OTEL_SDK_DISABLED) return null;
  const { startCollector } = await import('./collector.ts');
  return startCollector(`presswork-${process}`, (error) =>
    log.warn({ err: error }, 'spans could not be sent to the collector'),
  );
}
