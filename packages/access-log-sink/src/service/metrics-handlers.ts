/** MetricsService for any grpc-js server. */
import type { Buffer } from 'node:buffer';
import type { handleClientStreamingCall, MethodDefinition } from '@grpc/grpc-js';
import { metricsService } from '@meshrelay/envoy-api/services';
import type { MetricsSink } from '../metrics/metrics-sink.ts';
import type { HandlerOptions } from './access-log-handlers.ts';
import { rawMethod } from './raw-method.ts';
import { receive } from './receive.ts';
import { SILENT } from './service-log.ts';

/** The service definition for `server.addService`. */
export const METRICS_SERVICE: { readonly streamMetrics: MethodDefinition<Buffer, Buffer> } = {
  streamMetrics: rawMethod(metricsService.streamMetrics),
};

/** Its implementation: `server.addService(METRICS_SERVICE, metricsHandlers(sink))`. */
export function metricsHandlers(
  sink: MetricsSink,
  { log = SILENT, draining }: HandlerOptions = {},
): { readonly streamMetrics: handleClientStreamingCall<Buffer, Buffer> } {
  return {
    streamMetrics: (call, callback) =>
      receive(call, callback, { open: (peer) => sink.openStream(peer), log, draining }),
  };
}
