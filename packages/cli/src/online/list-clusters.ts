/** Implements `meshctl cluster list`. */
import process from 'node:process';
import type { Condition, KubernetesCluster } from '@meshrelay/api';
import { type KubeConnection, meshrelayKind } from '@meshrelay/kube';
import { isTable, type ListFormat } from '../output/format.ts';
import { type Column, kubectlName, listText, objectList } from '../output/list.ts';
import { plain } from '../output/plain.ts';
import { notKnown, type ServerProblem, serverProblem } from './server-lease.ts';

const COLUMNS: ReadonlyArray<Column<KubernetesCluster>> = [
  { header: 'NAME', cell: ({ metadata }) => metadata.name },
  { header: 'STATE', cell: ({ status }) => status?.state ?? 'UNKNOWN' },
  { header: 'OUTPUTS', cell: ({ status }) => outputsOf(status) },
  { header: 'REPLICA', cell: ({ status }) => replicaOf(status) },
  { header: 'INPUTS', cell: ({ status }) => status?.inputVersion ?? '-' },
  { header: 'LAG', cell: ({ status }) => lagOf(status) },
  { header: 'LAST CONNECTED', cell: ({ status }) => status?.lastConnectedTime ?? '-' },
  { header: 'FIRST SYNCED', cell: ({ status }) => status?.firstSyncTime ?? '-' },
  { header: 'AGENT', cell: ({ status }) => status?.agentVersion ?? '-', wide: true },
  { header: 'CERTIFICATE EXPIRY', cell: ({ status }) => status?.certificateExpiry ?? '-', wide: true },
  { header: 'CLUSTER DOMAIN', cell: ({ spec }) => spec.clusterDomain ?? 'cluster.local', wide: true },
];

/** The exit code becomes 2 without a leading server: then the states are not known. */
export async function listClusters(management: KubeConnection, namespace: string, output: ListFormat): Promise<void> {
  const found = await management.objects(meshrelayKind('KubernetesCluster')).list({ namespace });
  const clusters = found as readonly KubernetesCluster[];
  if (clusters.length === 0 && isTable(output)) {
    process.stdout.write(`no cluster is registered in namespace ${namespace}\n`);
    return;
  }
  const problem = await serverProblem(management, { namespace, now: new Date() });
  const items = problem === undefined ? clusters : clusters.map((cluster) => asLastKnown(cluster, problem));
  const list = { items, columns: COLUMNS, name: kubectlName, data: objectList(items) };
  process.stdout.write(listText(list, output));
  const notes = isTable(output) ? process.stdout : process.stderr;
  notes.write(items.flatMap(problemLines).join(''));
  if (problem === undefined || clusters.length === 0) return;
  notes.write(`the state of clusters is ${notKnown(problem)}: ${problem.message}\n`);
  process.exitCode = 2;
}

/** The status as the last running server left it; the current state of the cluster is unknown. */
function asLastKnown({ status, ...cluster }: KubernetesCluster, { until }: ServerProblem): KubernetesCluster {
  const {
    connectedReplica,
    lastReplica = connectedReplica,
    inputVersion,
    firstSyncTime,
    lastConnectedTime,
  } = status ?? {};
  const heard = connectedReplica === undefined ? lastConnectedTime : until;
  return {
    ...cluster,
    status: {
      state: 'UNKNOWN',
      ...(lastReplica === undefined ? {} : { lastReplica }),
      ...(inputVersion === undefined ? {} : { inputVersion }),
      ...(heard === undefined ? {} : { lastConnectedTime: heard }),
      ...(firstSyncTime === undefined ? {} : { firstSyncTime }),
    },
  };
}

/** Whether the cluster receives and accepts its outputs, else why not. */
function outputsOf(status: KubernetesCluster['status']): string {
  const current = status?.conditions?.find(({ type }) => type === 'OutputsCurrent');
  return current?.status === 'True' ? 'current' : (current?.reason ?? '-');
}

/** In brackets if it is the last replica, and the agent is not connected now. */
function replicaOf(status: KubernetesCluster['status']): string {
  const { connectedReplica, lastReplica } = status ?? {};
  return connectedReplica ?? (lastReplica === undefined ? '-' : `(${lastReplica})`);
}

/** The larger lag of both directions. */
function lagOf(status: KubernetesCluster['status']): string {
  const { lag, inputLag } = status ?? {};
  if (lag === undefined && inputLag === undefined) return '-';
  return `${lag ?? '0s'} out, ${inputLag ?? '0s'} in`;
}

/** Problems of the cluster, one line each. */
function problemLines({ metadata, status }: KubernetesCluster): string[] {
  const bad = (status?.conditions ?? []).filter(isProblem);
  return bad.map(
    ({ type, status: is, reason, message }) => `${metadata.name}: ${type}=${is} ${reason}: ${plain(message)}\n`,
  );
}

/** Conditions that are unknown only because the connection of the agent is unknown are not listed. */
function isProblem({ type, status }: Condition): boolean {
  return status === 'False' || (status === 'Unknown' && type === 'Connected');
}
