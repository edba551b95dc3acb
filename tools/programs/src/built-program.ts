/** The build of a program that tests, the demo and `bin/` start. */
import { join } from 'node:path';
import process from 'node:process';
import { type Build, buildPrograms } from './build-programs.ts';
import { mainFile } from './bundle.ts';
import { assets, entries, type ProgramName, ROOT } from './programs.ts';

let build: Build | undefined;

/**
 * All programs, built from the sources as they are at the first call of this process. @throws Error with the bundler's
 * messages
 */
export function builtPrograms(): Build {
  build ??= buildPrograms({
    root: ROOT,
    entries,
    assets,
    folder: join(ROOT, '.cache/builds'),
    building: () => process.stderr.write('building the programs ...\n'),
  });
  return build;
}

/** The path of a program as JavaScript, see {@link builtPrograms}. */
export function builtProgram(name: ProgramName): string {
  return join(builtPrograms().folder, mainFile(name));
}
