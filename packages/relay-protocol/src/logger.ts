/** The part of a logger that the relay uses; pino's fits. */

/** Fields first, then a message that holds none of them. */
export type LogMethod = (fields: Readonly<Record<string, unknown>>, message: string) => void;

export interface Logger {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
}

const ignore: LogMethod = () => undefined;

/** For callers that want no log. */
export const SILENT: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
