/** One case in a separate process: sends its result, and ends when its parent does. */
import process from 'node:process';

/** A measurement, as a function of its parameters. */
type Case = (input: never) => unknown;

/** Waits for the name of one of these cases and its parameters. */
export function serveCase(cases: Readonly<Record<string, Case>>): void {
  process.once('disconnect', () => process.exit(1));
  process.once('message', async ({ name, input }: { readonly name: string; readonly input: never }) => {
    const result = await (cases[name] as Case)(input);
    process.send?.(result, undefined, undefined, () => process.exit(0));
  });
}
