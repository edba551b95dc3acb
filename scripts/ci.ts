/** `.ci/run [TITLE...]`: every suite, or those of the titles. Ends with a table of them and one line: `N passed, N failed`. */
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { main } from './ci/main.ts';
import { suites } from './ci/suites.ts';

process.exitCode = await main(suites, process.argv.slice(2), { jobs: availableParallelism() });
