import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, RandomIdGenerator } from '@opentelemetry/sdk-trace-node';
import { outsideTraces, setCollected, spanIdToUse } from './trace.ts';

export interface Collector {
  /** Exports the remaining spans; work is no longer traced. Never rejects. */
  close(): Promise<void>;
}

/**
 * Collects spans and exports them by OTLP over HTTP. OpenTelemetry's standard variables set the address, headers and
 * sampling.
 *
 * @param onError called if spans could not be sent
 */
export function startCollector(service: string, onError: (error: Error) => void): Collector {
  setGlobalErrorHandler((thrown) => {
    const error =
      thrown instanceof Error ? thrown : new Error(typeof thrown === 'string' ? thrown : thrown.name);
    // A batch has spans of many requests, so the error belongs to no trace.
    outsideTraces(() => onError(error));
  });
  // The environment takes precedence.
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': service }))
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    idGenerator: createIdGenerator(),
  });
  // Baggage of other systems is not propagated.
  provider.register({ propagator: new W3CTraceContextPropagator() });
  setCollected(true);
  return {
    close() {
      setCollected(false);
      return provider.shutdown().catch(onError);
    },
  };
}

/** Uses the given id for a workflow's span: its children refer to it before it is recorded. */
function createIdGenerator(): RandomIdGenerator {
  const ids = new RandomIdGenerator();
  const { generateSpanId } = ids;
  ids.generateSpanId = () => spanIdToUse() ?? generateSpanId();
  return ids;
}
