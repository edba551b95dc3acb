/** AccessLogService for any server of grpc-js. */
import type { Buffer } from 'node:buffer';
import type { handleClientStreamingCall, MethodDefinition } from '@grpc/grpc-js';
import { accessLogService } from '@meshrelay/envoy-api/services';
import type { AccessLogSink } from '../sink/access-log-sink.ts';
import { rawMethod } from './raw-method.ts';
import { receive } from './receive.ts';
import { type ServiceLog, SILENT } from './service-log.ts';

/** The service as `server.addService` takes it. Messages pass as bytes: decoding is ours. */
export const ACCESS_LOG_SERVICE: { readonly streamAccessLogs: MethodDefinition<Buffer, Buffer> } = {
  streamAccessLogs: rawMethod(accessLogService.streamAccessLogs),
};

/** How a service is run. */
export interface HandlerOptions {
  readonly log?: ServiceLog;
  /** Abort it before the server is drained: Envoy's streams never end by themselves, and `tryShutdown` would wait for ever. */
  readonly draining?: AbortSignal;
}

/** Its implementation: `server.addService(ACCESS_LOG_SERVICE, accessLogHandlers(sink))`. */
export function accessLogHandlers(
  sink: AccessLogSink,
  { log = SILENT, draining }: HandlerOptions = {},
): { readonly streamAccessLogs: handleClientStreamingCall<Buffer, Buffer> } {
  return {
    streamAccessLogs: (call, callback) =>
      receive(call, callback, { open: (peer) => sink.openStream(peer), log, draining }),
  };
}
