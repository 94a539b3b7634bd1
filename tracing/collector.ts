import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, RandomIdGenerator } from '@opentelemetry/sdk-trace-node';
import { beginCollecting, outsideTraces, spanIdToUse } from './trace.ts';

/** Takes spans, and sends them on. */
export interface Collector {
  /** Sends what has been collected. It does not reject. */
  close(): Promise<void>;
}

/**
 * Has spans collected and sent by OTLP over HTTP, as the standard variables of OpenTelemetry say: where to, with
 * which headers, and which share of the traces.
 *
 * @param onError called where spans could not be sent
 */
export function startCollector(service: string, onError: (error: Error) => void): Collector {
  setGlobalErrorHandler((thrown) => {
    const error =
      thrown instanceof Error ? thrown : new Error(typeof thrown === 'string' ? thrown : thrown.name);
    // Spans of many requests go together; the one that was first has nothing to do with it.
    outsideTraces(() => onError(error));
  });
  // What the environment says goes before what is said here.
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': service }))
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    idGenerator: createIdGenerator(),
  });
  // Baggage of others is nothing of ours to carry.
  provider.register({ propagator: new W3CTraceContextPropagator() });
  beginCollecting();
  return { close: () => provider.shutdown().catch(onError) };
}

/** Spans of workflows have their ids before they are recorded: what they have done already names them. */
function createIdGenerator(): RandomIdGenerator {
  const ids = new RandomIdGenerator();
  const { generateSpanId } = ids;
  ids.generateSpanId = () => spanIdToUse() ?? generateSpanId();
  return ids;
}
