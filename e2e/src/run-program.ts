/** Programs that run until they exit. */
import { type SpawnOptions, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Without standard input. @throws Error if it cannot be started */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'>,
): Promise<Result> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
