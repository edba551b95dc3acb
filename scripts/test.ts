/** `npm test`: every fast suite, in Node and in Deno. Ends with one line: `N passed, N failed`. */
import process from 'node:process';
import { main } from './runner/main.ts';
import { endGroupsWithThisProcess } from './runner/process-group.ts';

endGroupsWithThisProcess();
process.exitCode = await main(process.argv.slice(2), (line) => console.log(line));
