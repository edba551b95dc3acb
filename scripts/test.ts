/** `npm test`: runs every fast suite, in Node and in Deno. The last line is `N passed, N failed`. */
import process from 'node:process';
import { main } from './runner/main.ts';
import { endGroupsWithThisProcess } from './runner/process-group.ts';

endGroupsWithThisProcess();
const { stdout } = process;
process.exitCode = await main(process.argv.slice(2), {
  print: (line) => console.log(line),
  redraw: stdout.isTTY ? (text) => stdout.write(`\r\u001b[2K${text.slice(0, stdout.columns - 1)}`) : undefined,
});
