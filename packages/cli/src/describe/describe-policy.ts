/** A policy with its status. */
import type { PolicyStatus, WasmRollout } from '@meshrelay/api';
import { factsSection, indented, linesSection, tableSection } from '../explain/sections.ts';
import { targetText } from '../explain/words.ts';
import { reportLines } from '../output/report-lines.ts';
import { table } from '../output/table.ts';
import type { KnownPolicy } from './known-fleet.ts';

export function policyLines({ ref, status }: KnownPolicy): readonly string[] {
  const { kind, cluster, namespace, name } = ref;
  const listed = status?.targets ?? [];
  const more = (status?.targetCount ?? 0) - listed.length;
  return [
    ...factsSection([
      ['Name', name],
      ['Namespace', namespace],
      ['Kind', kind],
      ['Cluster', cluster === '' ? 'the management cluster' : cluster],
      ['State', status?.state ?? 'not evaluated yet'],
      ['Observed generation', status === undefined ? undefined : String(status.observedGeneration)],
      ['Virtual IP', status?.address],
      [
        'Backends',
        status?.selectedDestinations
          ?.map(({ clusterName, namespace: home, name: service }) => `${home}/${service} of ${clusterName}`)
          .join(', '),
      ],
      ['Modules in Envoys', status?.rollout === undefined ? undefined : rolloutText(status.rollout)],
      ['Targets', status?.targetCount === undefined ? undefined : String(status.targetCount)],
    ]),
    ...tableSection(
      'Conditions',
      ['TYPE', 'STATUS', 'REASON', 'MESSAGE'],
      (status?.conditions ?? []).map(({ type, status: holds, reason, message }) => [type, holds, reason, message]),
    ),
    ...tableSection(
      'Workloads whose Envoys lack modules',
      ['WORKLOAD', 'CLUSTER', 'STATE', 'PENDING', 'FAILED'],
      (status?.rollout?.workloads ?? []).map((one) => [
        `${one.namespace}/${one.name}`,
        one.cluster,
        one.state,
        String(one.pending),
        String(one.failed),
      ]),
    ),
    ...linesSection('Reports', reportLines(status?.reports ?? [], 2)),
    ...linesSection('Targets', targetLines(listed)),
    ...(more > 0 ? [`  and ${more} more; use cluster files (--cluster NAME=PATH) to list all`] : []),
  ];
}

function rolloutText({ deployed, pending, failed }: WasmRollout): string {
  return `${deployed} deployed, ${pending} pending, ${failed} failed`;
}

/** A table, with the reports of each target below its row. */
function targetLines(targets: PolicyStatus['targets']): readonly string[] {
  if (targets.length === 0) return [];
  const rows = targets.map((target) => [targetText(target), target.state]);
  const [header = '', ...lines] = table(['TARGET', 'STATE'], rows).trimEnd().split('\n');
  return [header, ...lines.flatMap((line, at) => [line, ...indented(reportLines(targets[at]?.reports ?? [], 4))])];
}
