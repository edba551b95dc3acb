/** `.ci/run`: every suite. Ends with a table of them and one line: `N passed, N failed`. `-- TITLE...` runs some of them. */
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describeResults, describeSuite } from './ci/report.ts';
import { runSuites } from './ci/run-suites.ts';
import { suites } from './ci/suites.ts';

const titles = process.argv.slice(2);
const unknown = titles.filter((title) => !suites.some((suite) => suite.title === title));
const chosen = suites.filter(({ title }) => titles.length === 0 || titles.includes(title));
if (unknown.length > 0) {
  const known = suites.map(({ title }) => title).join(', ');
  console.log(`no suite is called ${unknown.join(', ')}; there are ${known}\n0 passed, 1 failed`);
  process.exitCode = 2;
} else {
  const start = performance.now();
  const results = await runSuites(chosen, {
    root: fileURLToPath(new URL('..', import.meta.url)),
    jobs: availableParallelism(),
    began: ({ title, command }) => console.log(`>>> ${title}: ${command.join(' ')}`),
    ended: (result) => console.log(describeSuite(result)),
  });
  console.log(describeResults(results, (performance.now() - start) / 1000));
  process.exitCode = results.every(({ failed }) => failed === 0) ? 0 : 1;
}
