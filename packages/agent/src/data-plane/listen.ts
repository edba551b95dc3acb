/** The single port of a data plane. */
import {
  ACCESS_LOG_SERVICE,
  accessLogHandlers,
  METRICS_SERVICE,
  metricsHandlers,
  type ServiceLog,
} from '@meshrelay/access-log-sink';
import {
  type DataPlaneOptions,
  type DataPlaneRejection,
  type DataPlaneServer,
  listenForProxies,
} from '@meshrelay/envoy-api/server';
import type { ListenAddress } from '@meshrelay/host';
import { headerBytes } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';
import type { DataPlane } from './data-plane.ts';
import { metricsPage } from './metrics-page.ts';

export interface ListenOptions {
  readonly listen: ListenAddress;
  readonly logger: Logger;
  /** Services for TLS only; undefined if no mesh takes configuration from this agent. */
  readonly secure?: DataPlaneOptions['secure'];
  readonly onRefused: (reason: DataPlaneRejection) => void;
}

/** Serves what proxies send. Disposal ends their streams gracefully. @throws the listen error */
export async function listenFor(
  plane: DataPlane,
  { listen, logger, secure, onRefused }: ListenOptions,
): Promise<DataPlaneServer> {
  const draining = new AbortController();
  const options = { log: serviceLog(logger), draining: draining.signal };
  const server = await listenForProxies({
    listen,
    plain: [
      { definition: ACCESS_LOG_SERVICE, handlers: accessLogHandlers(plane.sink, options) },
      { definition: METRICS_SERVICE, handlers: metricsHandlers(plane.metrics, options) },
    ],
    http: metricsPage(plane),
    secure,
    headerBytes,
    onRefused,
  });
  return {
    get port() {
      return server.port;
    },
    get connections() {
      return server.connections;
    },
    async [Symbol.asyncDispose]() {
      draining.abort();
      await server[Symbol.asyncDispose]();
    },
  };
}

/**
 * Events that any client can provoke are not logged as warnings: counters report them, and a lower log level shows the
 * reasons.
 */
function serviceLog(logger: Logger): ServiceLog {
  return {
    info: (fields, message) => logger.debug(message, fields),
    warn: (fields, message) => logger.debug(message, fields),
    error: (fields, message) => logger.error(message, fields),
  };
}
