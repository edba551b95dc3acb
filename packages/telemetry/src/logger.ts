/** Log lines as JSON: `level`, `ts`, `logger`, `msg`, then fields. */
import { type Level, type Logger as PinoLogger, pino } from 'pino';
import { redact, redactText } from './redact.ts';

/** Log level; `silent` writes nothing. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** All levels, from the most to the least verbose. */
export const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** Fields in addition to the message: `cluster`, `plugin`, `ref`, `error`, … */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes log lines. The message is a fixed sentence; variable parts go into fields. Secrets are redacted. */
export interface Logger {
  /** Dotted, such as `agent.relay`. */
  readonly name: string;
  /** For following one object through the program. */
  debug(message: string, fields?: LogFields): void;
  /** An event of interest to an operator. */
  info(message: string, fields?: LogFields): void;
  /** A problem that does not stop the program. */
  warn(message: string, fields?: LogFields): void;
  /** A failure that requires a person. */
  error(message: string, fields?: LogFields): void;
  /** Whether a line of this level would be written; use it before computing costly fields. */
  enabled(level: Exclude<LogLevel, 'silent'>): boolean;
  /** A logger named `<this>.<name>` whose lines all contain `fields`. */
  child(name: string, fields?: LogFields): Logger;
  /** A logger of the same name whose lines all contain `fields`. */
  with(fields: LogFields): Logger;
  /** A logger of the same name whose lines are written at any level: for audit records. */
  always(): Logger;
}

/** Destination of lines; each call is one complete line with its newline. */
export interface LogDestination {
  write(line: string): void;
}

export interface LoggerOptions {
  /** The program: `agent`, `mgmt-server`, … */
  readonly name: string;
  /** `info` by default. */
  readonly level?: LogLevel;
  /** Standard output by default. */
  readonly destination?: LogDestination;
  /** Milliseconds since 1970; the system's clock by default. */
  readonly now?: () => number;
}

/** The root logger of a program; all others are its children. */
export function createLogger({ name, level = 'info', destination, now = Date.now }: LoggerOptions): Logger {
  const lines = pino(
    {
      level,
      base: null,
      timestamp: () => `,"ts":${now() / 1000}`,
      formatters: { level: (label) => ({ level: label }) },
      // Errors are plain objects already.
      serializers: {},
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  );
  const all = lines.child({}, { level: 'trace' });
  return named(name, {}, sink(lines, sink(all)));
}

/** Destination of a logger's lines. */
interface Sink {
  enabled(level: Level): boolean;
  write(level: Level, line: Record<string, unknown>): void;
  /** For lines that are written at any level; omitted if this sink writes all levels. */
  readonly always?: Sink;
}

function sink(lines: PinoLogger, always?: Sink): Sink {
  return {
    enabled: (level) => lines.isLevelEnabled(level),
    write: (level, line) => lines[level](line),
    ...(always === undefined ? {} : { always }),
  };
}

/** A logger that writes nothing, for tests and for parts used alone. */
export const silentLogger: Logger = named('silent', {}, { enabled: () => false, write: () => {} });

function named(name: string, inherited: Record<string, unknown>, to: Sink): Logger {
  const at =
    (level: Level) =>
    (message: string, fields?: LogFields): void => {
      if (!to.enabled(level)) return;
      const own = fields === undefined ? undefined : printable(fields);
      to.write(level, { logger: name, msg: redactText(message), ...inherited, ...own });
    };
  const derived = (child: string, fields: LogFields): Logger =>
    named(child, { ...inherited, ...printable(fields) }, to);
  return {
    name,
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    enabled: to.enabled,
    child: (child, fields = {}) => derived(`${name}.${child}`, fields),
    with: (fields) => derived(name, fields),
    always: () => named(name, inherited, to.always ?? to),
  };
}

const reserved = new Set(['level', 'ts', 'logger', 'msg']);

/**
 * Redacted fields; a field named like a standard part of the line gets an underscore, so that it cannot replace that
 * part.
 */
function printable(fields: LogFields): Record<string, unknown> {
  const clean = redact(fields) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(clean).map(([field, value]) => [reserved.has(field) ? `${field}_` : field, value]),
  );
}
