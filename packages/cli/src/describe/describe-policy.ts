/** A policy: what became of it, as its status says. */
import type { Report, WasmRollout } from '@meshrelay/api';
import { factsSection, tableSection } from '../explain/sections.ts';
import { targetText } from '../explain/words.ts';
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
      ['State', status?.state ?? 'not judged yet'],
      ['Generation judged', status === undefined ? undefined : String(status.observedGeneration)],
      ['Virtual IP', status?.address],
      [
        'Stands for',
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
      'Workloads whose Envoys have not taken all modules',
      ['WORKLOAD', 'CLUSTER', 'STATE', 'PENDING', 'FAILED'],
      (status?.rollout?.workloads ?? []).map((one) => [
        `${one.namespace}/${one.name}`,
        one.cluster,
        one.state,
        String(one.pending),
        String(one.failed),
      ]),
    ),
    ...tableSection('Reports', ['SEVERITY', 'CODE', 'FIELD', 'MESSAGE'], (status?.reports ?? []).map(reportRow)),
    ...tableSection(
      'Targets',
      ['TARGET', 'STATE', 'SEVERITY', 'CODE', 'FIELD', 'MESSAGE'],
      listed.flatMap((target) => {
        const rows: string[][] = target.reports.length === 0 ? [[]] : target.reports.map(reportRow);
        return rows.map((row, index) => [
          index === 0 ? targetText(target) : '',
          index === 0 ? target.state : '',
          ...row,
        ]);
      }),
    ),
    ...(more > 0 ? [`  and ${more} more; with the files of the clusters (--cluster NAME=PATH) all are listed`] : []),
  ];
}

function rolloutText({ deployed, pending, failed }: WasmRollout): string {
  return `${deployed} deployed, ${pending} pending, ${failed} failed`;
}

function reportRow({ severity, code, field, message }: Report): string[] {
  return [severity, code, field ?? '', message];
}
