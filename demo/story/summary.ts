/** The end of the story: the objects of each cluster, for users and for programs. */
import { relative } from 'node:path';
import type { AppliedObject, Converged } from '@meshrelay/local-fleet';
import { LOANS, SIDECAR_PORT } from '../traffic/ask.ts';
import type { NoTraffic } from '../traffic/envoy-setup.ts';
import type { Sent, Traffic } from '../traffic/traffic.ts';
import type { Screen } from './screen.ts';
import type { Reported } from './story.ts';

/** The machine-readable summary: one line of JSON. */
export interface Summary {
  readonly converged: boolean;
  /** Generated objects that each cluster's API server lists, by kind. */
  readonly clusters: ReadonlyArray<{ readonly name: string; readonly outputs: Readonly<Record<string, number>> }>;
  readonly meshes: readonly string[];
  readonly policies: ReadonlyArray<{ readonly kind: string; readonly name: string; readonly state: string }>;
  /** Objects in all clusters. */
  readonly outputs: number;
  /** Results of requests by real Envoys, if Envoy is available. */
  readonly traffic?: Traffic;
  /** Time from the first policy to the last applied object. */
  readonly secondsToConverge?: number;
  /** Time since the demo started. */
  readonly seconds: number;
  /** Why it did not converge. */
  readonly reason?: string;
}

export function summarise({ converged, meshes, secondsToConverge, sent }: Reported, seconds: number): Summary {
  const clusters = [...converged.objects].map(([name, objects]) => ({ name, outputs: countByKind(objects) }));
  return {
    converged: true,
    clusters,
    meshes: meshes.map(({ id }) => id),
    policies: converged.policies.map(({ kind, name, state }) => ({ kind, name, state })),
    outputs: [...converged.objects.values()].reduce((sum, objects) => sum + objects.length, 0),
    ...(sent === undefined ? {} : { traffic: sent.traffic }),
    secondsToConverge: rounded(secondsToConverge),
    seconds: rounded(seconds),
  };
}

export function failed(reason: string, seconds: number): Summary {
  return {
    converged: false,
    clusters: [],
    meshes: [],
    policies: [],
    outputs: 0,
    seconds: rounded(seconds),
    reason,
  };
}

function rounded(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}

function countByKind(objects: readonly AppliedObject[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of objects) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** The status of the policies, and the objects of each cluster. */
export function show(screen: Screen, { converged }: Reported, { clusters }: Summary): void {
  showPolicies(screen, converged);
  screen.title('What each cluster received');
  const rows = clusters.map(({ name, outputs }) => {
    const counts = Object.entries(outputs);
    const objects = counts.reduce((sum, [, count]) => sum + count, 0);
    return [name, String(objects), counts.map(([kind, count]) => `${count} ${kind}`).join(', ') || 'nothing'];
  });
  screen.table(['CLUSTER', 'OBJECTS', 'KINDS'], rows);
}

function showPolicies(screen: Screen, { policies }: Converged): void {
  screen.title('Policies and their states');
  const rows = policies.map(({ kind, name, state, targetCount, reports }) => [
    kind,
    name,
    state,
    String(targetCount),
    reports.map(({ code }) => code).join(', '),
  ]);
  screen.table(['KIND', 'NAME', 'STATE', 'TARGETS', 'NOTES'], rows);
}

/** Why no requests were sent. */
export function showNoTraffic(screen: Screen, { reason }: NoTraffic): void {
  screen.title('Real requests through real Envoys');
  screen.command(`none this time: ${reason}`);
}

/** Suggestions while the fleet runs. */
export function showCommands(screen: Screen, { api, management, workloads, programs, sent }: Reported): void {
  const [east, , store] = workloads;
  if (east === undefined || store === undefined) throw new Error('the demo lacks a workload cluster');
  screen.title('Try it, in another terminal');
  const onEast = `kubectl --kubeconfig ${relative('', east.kubeconfig)}`;
  const onStore = `kubectl --kubeconfig ${relative('', store.kubeconfig)}`;
  const onManagement = `kubectl --kubeconfig ${relative('', management.kubeconfig)} -n meshrelay`;
  screen.command(`${onEast} get virtualservices,destinationrules,serviceentries -A`);
  screen.command(`${onEast} -n bookshop get virtualservice meshrelay-reviews -o yaml`);
  screen.command(`${onEast} -n bookshop delete virtualservice meshrelay-reviews   # it comes back`);
  screen.command(`${onStore} get trafficsplits,traffictargets,httproutegroups -A`);
  screen.command(`${onManagement} get kubernetesclusters,meshes,destinations,trafficpolicies`);
  screen.command(`${onManagement} edit trafficpolicy reviews-canary                     # the VirtualService follows`);
  screen.command(
    `${onManagement} delete trafficpolicy patient-catalog                  # the server deletes only its objects`,
  );
  if (sent !== undefined) showRequests(screen, sent, new URL(api.url).origin);
  const [server, agent] = programs;
  screen.command(`kill -9 ${server?.pid}   # the server; or an agent, such as ${agent?.pid}: the fleet recovers`);
  screen.command(`bin/meshctl check --mgmt-kubeconfig ${relative('', management.kubeconfig)}`);
  screen.command(`curl ${api.url}/policies`);
  screen.command('docs/tutorial.md continues from here');
}

/** Requests by the running Envoys, and where to see them. */
function showRequests(screen: Screen, { sidecars: { desk, visitor } }: Sent, server: string): void {
  screen.command(`curl -x ${desk}:${SIDECAR_PORT} ${LOANS}   # as desk, by its Envoy`);
  screen.command(`curl -x ${visitor}:${SIDECAR_PORT} ${LOANS}   # as visitor, who is refused`);
  screen.command(`bin/meshctl top --server ${server} --namespace library   # who calls whom, while they do`);
  screen.command(`bin/meshctl logs --server ${server} --status 403   # what was refused`);
}
