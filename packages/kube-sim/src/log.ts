/** Log lines as JSON, one a line. */
import process from 'node:process';

/** Where log lines go. `logger` names the part that speaks; fields must hold no secrets. */
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

/** Says nothing. */
export const silentLog: Log = { info: () => {}, error: () => {} };
