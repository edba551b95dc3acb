/**
 * `npm run bench [-- --quick] [--results FILE]`: prints a table on stderr and the whole result as JSON on stdout, and writes it as a page
 * where asked to. Exit 1 when a target is missed.
 */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { rounded } from './measure.ts';
import { type HostFacts, type Report, table } from './report.ts';
import { resultsPage } from './results-page.ts';
import { runSuite } from './suite.ts';

const { quick, results } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, results: { type: 'string' } },
}).values;
const host = hostFacts();
const { worlds, figures } = await runSuite({ quick, progress: (what) => process.stderr.write(`${what} ...\n`) });
const report: Report = { host, command: `npm run bench${quick ? ' -- --quick' : ''}`, worlds, figures };
process.stderr.write(`\n${table(report)}\n`);
process.stdout.write(`${JSON.stringify(report)}\n`);
if (results !== undefined) writeFileSync(results, resultsPage(report));
if (figures.some(({ met }) => met === false)) process.exitCode = 1;

function hostFacts(): HostFacts {
  const all = cpus();
  return {
    node: process.version,
    cpu: all[0]?.model ?? 'unknown',
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    loadBefore: rounded(loadavg()[0] ?? 0),
  };
}
