/** Captures the result of commands that run in this process. */
import process from 'node:process';

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs meshctl in this process, without a terminal, as in a folder and with `env` added to the environment. One at a
 * time.
 */
export async function runHere(run: () => Promise<void>, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Result> {
  const before = { cwd: process.cwd(), env: { ...process.env }, exitCode: process.exitCode };
  using _stdin = withoutTerminal();
  const stdout = capture(process.stdout);
  const stderr = capture(process.stderr);
  try {
    process.chdir(cwd);
    Object.assign(process.env, env);
    process.exitCode = undefined;
    await run();
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    stdout[Symbol.dispose]();
    stderr[Symbol.dispose]();
    process.exitCode = before.exitCode;
    for (const name of Object.keys(env)) {
      const value = before.env[name];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    process.chdir(before.cwd);
  }
}

/** Captures output to a stream until it is disposed. */
function capture(stream: NodeJS.WriteStream): Disposable & { text(): string } {
  const { write } = stream;
  const chunks: string[] = [];
  stream.write = ((chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
    chunks.push(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk));
    const done = rest.at(-1);
    if (typeof done === 'function') done();
    return true;
  }) as typeof stream.write;
  return {
    text: () => chunks.join(''),
    [Symbol.dispose]: () => {
      stream.write = write;
    },
  };
}

/** Commands ask nothing, also if a test is run by hand. */
function withoutTerminal(): Disposable {
  const { stdin } = process;
  const before = Object.getOwnPropertyDescriptor(stdin, 'isTTY');
  Object.defineProperty(stdin, 'isTTY', { value: false, configurable: true, writable: true });
  return {
    [Symbol.dispose]: () => {
      if (before === undefined) Reflect.deleteProperty(stdin, 'isTTY');
      else Object.defineProperty(stdin, 'isTTY', before);
    },
  };
}
