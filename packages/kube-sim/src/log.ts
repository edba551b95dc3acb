/** Log lines as JSON, one per line. */
import process from 'node:process';

/** Receiver of log lines. `logger` names the component; fields must not contain secrets. */
export interface Log {
  info(logger: string, message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(logger: string, message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Writes to standard error, with the cluster's name in each line. */
export function jsonLog(cluster: string): Log {
  const write = (level: string, logger: string, msg: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    process.stderr.write(`${JSON.stringify({ level, ts: Date.now() / 1000, logger, msg, cluster, ...fields })}\n`);
  };
  return {
    info: (logger, message, fields) => write('info', logger, message, fields),
    error: (logger, message, fields) => write('error', logger, message, fields),
  };
}

/** Logs nothing. */
export const silentLog: Log = { info: () => {}, error: () => {} };
