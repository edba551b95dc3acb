/** `bin/NAME ARGS`: runs the build of the program that the first argument names, in this process. */
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { builtProgram } from './built-program.ts';
import type { ProgramName } from './programs.ts';

const [node = '', , name, ...args] = process.argv;
const main = builtProgram(name as ProgramName);
process.argv = [node, main, ...args];
await import(pathToFileURL(main).href);
