/** State that test files share when they run in one process, and must restore. */
import process from 'node:process';

export interface ProcessState {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly replaceable: ReadonlyMap<string, unknown>;
  readonly crashHandlers: number;
}

/** The current state. */
export function processState(): ProcessState {
  return {
    folder: process.cwd(),
    environment: { ...process.env },
    replaceable: replaceable(),
    crashHandlers: process.listenerCount('uncaughtException') + process.listenerCount('unhandledRejection'),
  };
}

/** Names of the parts that have changed since then and were not restored. */
export function changesSince(before: ProcessState): string[] {
  const now = processState();
  const variables = new Set([...Object.keys(before.environment), ...Object.keys(now.environment)]);
  return [
    ...(now.folder === before.folder ? [] : ['process.cwd()']),
    ...[...variables]
      .filter((name) => before.environment[name] !== now.environment[name])
      .map((name) => `process.env.${name}`),
    ...[...before.replaceable].filter(([name, value]) => now.replaceable.get(name) !== value).map(([name]) => name),
    ...(now.crashHandlers === before.crashHandlers ? [] : ['the handlers of uncaughtException and unhandledRejection']),
  ];
}

/** Globals that tests replace by doubles. Libraries replace other globals when they load, such as Request. */
function replaceable(): Map<string, unknown> {
  const of = (name: string, object: object, keys: readonly string[]): [string, unknown][] =>
    keys.map((key) => [`${name}.${key}`, (object as Record<string, unknown>)[key]]);
  return new Map([
    ...of('globalThis', globalThis, ['Date', 'setImmediate', 'setInterval', 'setTimeout', 'queueMicrotask']),
    ...of('Date', Date, ['now']),
    ...of('Math', Math, ['random']),
    ...of('console', console, ['debug', 'error', 'info', 'log', 'warn']),
    ...of('process.stdout', process.stdout, ['write']),
    ...of('process.stderr', process.stderr, ['write']),
    // Reading it from globalThis would load the module behind it.
    ['globalThis.fetch', Object.getOwnPropertyDescriptor(globalThis, 'fetch')?.value],
  ]);
}
