/**
 * `npm run soak [-- TITLE...]`: runs suites that take hours, one after the other. A run of all of them writes
 * docs/soak.md.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { main, root } from './ci/main.ts';
import { soakSuites } from './ci/suites.ts';

const titles = process.argv.slice(2);
process.exitCode = await main(soakSuites, titles, {
  jobs: 1,
  summarized: (summary) => {
    if (titles.length === 0) writeFileSync(join(root, 'docs/soak.md'), page(summary));
  },
});

function page(summary: string): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${availableParallelism()} cores, Node ${process.versions.node}`;
  const scale = process.env['MESHRELAY_TEST_SCALE'];
  return `# The last soak

\`npm run soak\` with MESHRELAY_TEST_SCALE=${scale} (properties and real API server: 20) at ${commit}, ended on ${date},
on ${machine}. The fault matrix has [its own figures](../faults/SOAK.json).

\`\`\`text
${summary.trim()}
\`\`\`
`;
}
