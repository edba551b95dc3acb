/** `.ci/run [TITLE...]`: every suite, or those of the titles. Ends with a table of them and one line: `N passed, N failed`. */
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describeResults, describeSuite } from './ci/report.ts';
import { runSuites } from './ci/run-suites.ts';
import { selectSuites } from './ci/select-suites.ts';
import { suites } from './ci/suites.ts';

try {
  const start = performance.now();
  const results = await runSuites(selectSuites(suites, process.argv.slice(2)), {
    root: fileURLToPath(new URL('..', import.meta.url)),
    jobs: availableParallelism(),
    began: ({ title }) => console.log(`>>> ${title}`),
    ended: (result) => console.log(describeSuite(result)),
  });
  console.log(describeResults(results, (performance.now() - start) / 1000));
  process.exitCode = results.every(({ failed }) => failed === 0) ? 0 : 1;
} catch (error) {
  console.log(`${(error as Error).message}\n0 passed, 1 failed`);
  process.exitCode = 2;
}
