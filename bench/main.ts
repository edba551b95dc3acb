/**
 * `npm run bench [-- --quick] [--only PART,...] [--results FILE]`: prints a table of each part on stderr and the whole
 * result as JSON on stdout, and writes it as a page if requested. Exit 1 when a target is missed. `--by-node` reports
 * memory by node of the graph instead, `--allocations` the allocations of a cold start.
 */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { rounded } from './measure.ts';
import { allocationsByFunction } from './profiles/allocations.ts';
import { byNode } from './profiles/by-node.ts';
import { type HostFacts, type Report, table } from './results/report.ts';
import { resultsPage } from './results/results-page.ts';
import { PARTS, type Part, runSuite } from './suites/suite.ts';

const {
  quick,
  results,
  only,
  'by-node': account,
  allocations,
} = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    results: { type: 'string' },
    only: { type: 'string' },
    'by-node': { type: 'boolean', default: false },
    allocations: { type: 'boolean', default: false },
  },
}).values;
if (account || allocations) {
  await (account ? byNode() : allocationsByFunction());
  process.exit();
}
const parts = partsNamed(only);
const host = hostFacts();
const { fleets, figures } = await runSuite({
  quick,
  only: parts,
  progress: (what) => process.stderr.write(`${what} ...\n`),
  measured: (figures) => process.stderr.write(`\n${table({ figures })}\n\n`),
});
const flags = [...(quick ? ['--quick'] : []), ...(only === undefined ? [] : ['--only', only])];
const command = ['npm run bench', ...(flags.length === 0 ? [] : ['--', ...flags])].join(' ');
const report: Report = { host, command, fleets, figures };
process.stdout.write(`${JSON.stringify(report)}\n`);
if (results !== undefined) writeFileSync(results, resultsPage(report));
if (figures.some(({ met }) => met === false)) process.exitCode = 1;

/** @throws Error if a name is not a part */
function partsNamed(names: string | undefined): readonly Part[] {
  return (names?.split(',') ?? PARTS).map((name) => {
    const part = PARTS.find((one) => one === name);
    if (part === undefined) throw new Error(`--only ${name}: unknown part; choose one of ${PARTS.join(', ')}`);
    return part;
  });
}

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
