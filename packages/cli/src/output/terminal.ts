/** The way out of meshctl: no text that somebody else wrote steers the terminal. */
import process from 'node:process';
import { plainLines } from './plain.ts';

/**
 * Escapes in whatever is written as text from now on, in help and errors of the parser of arguments as well. Bytes pass as they are: what is meant to steer the terminal is written
 * as such. Who writes a text of others into a line makes it `plain` beforehand: here its line ends look like ours.
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
