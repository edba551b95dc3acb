/**
 * `.ci/run [TITLE...]`: runs every suite, or those with the titles. Prints a table of them at the end, and the last
 * line `N passed, N failed`.
 */
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { main } from './ci/main.ts';
import { suites } from './ci/suites.ts';

/** One more than cores: suites wait for programs a tenth of their time. */
const jobs = availableParallelism() + 1;
process.exitCode = await main(suites, process.argv.slice(2), { jobs });
