/** `npm run soak [-- TITLE...]`: what takes hours, one suite after the other. A run of all of them writes docs/soak.md. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describeResults, describeSuite } from './ci/report.ts';
import { runSuites } from './ci/run-suites.ts';
import { selectSuites } from './ci/select-suites.ts';
import { soakSuites } from './ci/suites.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

try {
  const chosen = selectSuites(soakSuites, process.argv.slice(2));
  const start = performance.now();
  const results = await runSuites(chosen, {
    root,
    jobs: 1,
    began: ({ title }) => console.log(`>>> ${title}`),
    ended: (result) => console.log(describeSuite(result)),
  });
  const summary = describeResults(results, (performance.now() - start) / 1000);
  if (chosen.length === soakSuites.length) writeFileSync(join(root, 'docs/soak.md'), page(summary));
  console.log(summary);
  process.exitCode = results.every(({ failed }) => failed === 0) ? 0 : 1;
} catch (error) {
  console.log(`${(error as Error).message}\n0 passed, 1 failed`);
  process.exitCode = 2;
}

function page(summary: string): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${availableParallelism()} cores, Node ${process.versions.node}`;
  const scale = process.env['MESHRELAY_TEST_SCALE'];
  return `# The last soak

\`npm run soak\` with MESHRELAY_TEST_SCALE=${scale} at ${commit}, ended on ${date}, on ${machine}. The fault matrix has
[its own figures](../faults/SOAK.json).

\`\`\`text
${summary.trim()}
\`\`\`
`;
}
