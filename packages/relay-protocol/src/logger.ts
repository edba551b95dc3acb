/** The part of a logger that the relay uses; compatible with pino. */

/** Fields first, then a message without field values. */
export type LogMethod = (fields: Readonly<Record<string, unknown>>, message: string) => void;

export interface Logger {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
}

const ignore: LogMethod = () => undefined;

/** For callers without a log. */
export const SILENT: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
