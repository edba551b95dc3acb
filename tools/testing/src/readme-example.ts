/** Runs the example of a package's README unchanged, as a module of the package. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';

export interface RunExample {
  /** What it exports. */
  readonly exported: Readonly<Record<string, unknown>>;
  /** Each call of a function of `console`, as one text. */
  readonly logged: readonly string[];
}

/**
 * @param folder of the package
 * @param nth of the blocks of TypeScript in its README
 */
export async function runReadmeExample(folder: string, nth = 0): Promise<RunExample> {
  const blocks = [...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)];
  const [, example] = blocks[nth] ?? [];
  if (example === undefined) throw new Error(`${folder}/README.md has ${blocks.length} examples, no number ${nth}`);
  // Next to the sources of the package, where its dependencies resolve; the name is unique to this process.
  const file = join(folder, `.readme-${process.pid}-${nth}.ts`);
  const logged: string[] = [];
  const { log, warn, error } = console;
  const record = (...parts: readonly unknown[]): void => {
    logged.push(format(...parts));
  };
  writeFileSync(file, example);
  Object.assign(console, { log: record, warn: record, error: record });
  try {
    return { exported: (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>, logged };
  } finally {
    Object.assign(console, { log, warn, error });
    rmSync(file);
  }
}
