/** One case in a process of its own: sends its result, and ends when its parent does. */
import process from 'node:process';

/** A measurement, by what it is asked. */
type Case = (input: never) => unknown;

/** Waits for the name of one of these cases and what it is asked. */
export function serveCase(cases: Readonly<Record<string, Case>>): void {
  process.once('disconnect', () => process.exit(1));
  process.once('message', async ({ name, input }: { readonly name: string; readonly input: never }) => {
    const result = await (cases[name] as Case)(input);
    process.send?.(result, undefined, undefined, () => process.exit(0));
  });
}
