/** A report as the page `RESULTS.md`. */
import type { Report } from './report.ts';

export function resultsPage({ host, command, fleets, figures }: Report): string {
  const { node, cpu, cores, memoryGiB, loadBefore } = host;
  return [
    '<!-- Written by `npm run bench -- --results bench/RESULTS.md`. -->',
    '# Results',
    '',
    'What the figures mean: [README.md](README.md). Seconds hold for this machine under this load; compare the ratios.',
    '',
    `- Command: \`${command}\``,
    `- Host: Node ${node}, ${cores} cores (${cpu}), ${memoryGiB} GiB, load average ${loadBefore} before the run`,
    ...Object.entries(fleets).map(([name, checksum]) => `- Fleet ${name}: checksum ${checksum}`),
    '',
    '| figure | value | target | |',
    '|---|---|---|---|',
    ...figures.map(
      ({ name, value, unit = '', target = '', met }) =>
        `| ${name} | ${value}${unit === '' ? '' : ` ${unit}`} | ${target} | ${met === undefined ? '' : met ? 'met' : '**missed**'} |`,
    ),
    '',
  ].join('\n');
}
