/** The end of the story: what each cluster received, for people and for programs. */
import type { AppliedObject, Converged } from './converge.ts';
import type { Screen } from './screen.ts';
import type { Told } from './story.ts';

/** The machine summary: one line of JSON. */
export interface Summary {
  readonly converged: boolean;
  readonly clusters: ReadonlyArray<{ readonly name: string; readonly outputs: Readonly<Record<string, number>> }>;
  readonly meshes: readonly string[];
  readonly policies: ReadonlyArray<{ readonly kind: string; readonly name: string; readonly state: string }>;
  readonly outputs: number;
  readonly seconds: number;
  readonly reason?: string;
}

export function summarise({ converged, meshes }: Told, seconds: number): Summary {
  const clusters = [...converged.objects].map(([name, objects]) => ({ name, outputs: countByKind(objects) }));
  return {
    converged: true,
    clusters,
    meshes: meshes.map(({ id }) => id),
    policies: converged.policies.map(({ kind, name, state }) => ({ kind, name, state })),
    outputs: [...converged.objects.values()].reduce((sum, objects) => sum + objects.length, 0),
    seconds: Math.round(seconds * 10) / 10,
  };
}

export function failed(reason: string, seconds: number): Summary {
  return {
    converged: false,
    clusters: [],
    meshes: [],
    policies: [],
    outputs: 0,
    seconds: Math.round(seconds * 10) / 10,
    reason,
  };
}

function countByKind(objects: readonly AppliedObject[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of objects) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

export function show(screen: Screen, { converged, api, management, workloads }: Told): void {
  showPolicies(screen, converged);
  screen.title('What each cluster received');
  const rows = [...converged.objects].map(([name, objects]) => {
    const counts = Object.entries(countByKind(objects)).map(([kind, count]) => `${count} ${kind}`);
    return [name, String(objects.length), counts.join(', ') || 'nothing: it has no mesh'];
  });
  screen.table(['CLUSTER', 'OBJECTS', 'KINDS'], rows);
  screen.title('Try it');
  const east = workloads[0];
  if (east === undefined) return;
  const kubectl = `kubectl --kubeconfig ${relative(east.kubeconfig)}`;
  const managed = `kubectl --kubeconfig ${relative(management.kubeconfig)} -n meshrelay`;
  screen.detail(`${kubectl} get virtualservices,destinationrules,serviceentries -A`);
  screen.detail(`${kubectl} -n bookshop get virtualservice meshrelay-reviews -o yaml`);
  screen.detail(`${kubectl} -n bookshop delete virtualservice meshrelay-reviews   # it comes back`);
  screen.detail(`${managed} get kubernetesclusters,meshes,destinations`);
  screen.detail(`${managed} edit trafficpolicy reviews-canary`);
  screen.detail(`${managed} delete trafficpolicy patient-catalog   # its objects go, no others`);
  screen.detail(`curl ${api.url}/policies`);
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

/** As a person in the checkout would type it. */
function relative(path: string): string {
  const cache = path.lastIndexOf('.cache/');
  return cache < 0 ? path : path.slice(cache);
}
