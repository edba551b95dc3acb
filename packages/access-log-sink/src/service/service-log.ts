/** The part of a logger that the services use; compatible with pino. */

export type LogMethod = (fields: Readonly<Record<string, unknown>>, message: string) => void;

export interface ServiceLog {
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
}

const ignore: LogMethod = () => undefined;

/** For callers without a log. */
export const SILENT: ServiceLog = { info: ignore, warn: ignore, error: ignore };
