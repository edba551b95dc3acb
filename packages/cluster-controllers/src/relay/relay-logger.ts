/** Adapts the agent's logger to the logger interface of the relay. */
import type { LogMethod, Logger as RelayLogger } from '@meshrelay/relay-protocol';
import type { Logger } from '@meshrelay/telemetry';

export function relayLogger(logger: Logger): RelayLogger {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error'): LogMethod =>
    (fields, message) =>
      logger[level](message, fields);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
