/** Runs cases in child processes, one at a time, so that no case uses the heap or the compiled code of another. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CaseName, InputOf, ResultOf } from './case.ts';
import { compiledMemoryCase } from './compiled-case.ts';

const PROGRAM = fileURLToPath(new URL('./case.ts', import.meta.url));
/** Fleets of 100,000 services need more heap than Node's default. */
const HEAP_MIB = 12_000;

/** @throws Error if the child ends without a result; its output is on stderr */
export async function runCase<N extends CaseName>(name: N, input: InputOf<N>): Promise<ResultOf<N>> {
  if (name !== 'memory') return await runIn(PROGRAM, name, input);
  await using compiled = await compiledMemoryCase();
  return await runIn(compiled.path, name, input);
}

function runIn<N extends CaseName>(program: string, name: N, input: InputOf<N>): Promise<ResultOf<N>> {
  return new Promise((resolve, reject) => {
    const child = fork(program, {
      execArgv: ['--expose-gc', `--max-old-space-size=${HEAP_MIB}`],
      serialization: 'advanced',
    });
    let result: ResultOf<N> | undefined;
    child.once('error', reject);
    child.once('message', (message) => {
      result = message as ResultOf<N>;
    });
    child.once('exit', (code, signal) => {
      if (result !== undefined) resolve(result);
      else reject(new Error(`case ${name} ended with ${signal ?? code} and no result`));
    });
    child.send({ name, input });
  });
}
