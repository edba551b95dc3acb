/** Guards all output of meshctl: no foreign text controls the terminal. */
import process from 'node:process';
import { plainLines } from './plain.ts';

/**
 * Escapes everything that is written as text from now on, including help and errors of the argument parser. Bytes pass
 * unchanged: meshctl writes its own control sequences as bytes. Callers that insert foreign text into a line must apply
 * `plain` first, since its line ends look like meshctl's own here.
 */
export function guardTerminal(): Disposable {
  const undo = [process.stdout, process.stderr].map((stream) => {
    const { write } = stream;
    stream.write = ((chunk: string | Uint8Array, ...rest: [never, never]) =>
      write.call(stream, typeof chunk === 'string' ? plainLines(chunk) : chunk, ...rest)) as typeof write;
    return () => {
      stream.write = write;
    };
  });
  return {
    [Symbol.dispose]() {
      for (const restore of undo) restore();
    },
  };
}
