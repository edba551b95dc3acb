/** AccessLogService for any grpc-js server. */
import type { Buffer } from 'node:buffer';
import type { handleClientStreamingCall, MethodDefinition } from '@grpc/grpc-js';
import { accessLogService } from '@meshrelay/envoy-api/services';
import type { AccessLogSink } from '../sink/access-log-sink.ts';
import { rawMethod } from './raw-method.ts';
import { receive } from './receive.ts';
import { type ServiceLog, SILENT } from './service-log.ts';

/** The service definition for `server.addService`. Messages pass as bytes, because the sink decodes them itself. */
export const ACCESS_LOG_SERVICE: { readonly streamAccessLogs: MethodDefinition<Buffer, Buffer> } = {
  streamAccessLogs: rawMethod(accessLogService.streamAccessLogs),
};

export interface HandlerOptions {
  readonly log?: ServiceLog;
  /**
   * Abort it before the server is drained: Envoy's streams never end by themselves, and `tryShutdown` would wait
   * forever.
   */
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
