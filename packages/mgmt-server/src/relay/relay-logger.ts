/** Adapts the server's logger to the relay's logger interface. */
import type { Logger as RelayLogger } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';

export function relayLogger(logger: Logger): RelayLogger {
  return {
    debug: (fields, message) => logger.debug(message, fields as Record<string, unknown>),
    info: (fields, message) => logger.info(message, fields as Record<string, unknown>),
    warn: (fields, message) => logger.warn(message, fields as Record<string, unknown>),
    error: (fields, message) => logger.error(message, fields as Record<string, unknown>),
  };
}
