/**
 * TrafficPolicies of a workspace on destinations it imports: they apply to the workspace's own callers only, so only to
 * fields of routes.
 */
import type { KubeMatcher, Report, TrafficPolicy, TrafficRules, WorkloadSelector } from '@meshrelay/api';
import { key, type Read } from '@meshrelay/plugin';
import { CONNECTION_FIELDS } from '../../fields/traffic/mod.ts';
import type { CallersIn, Workspaces } from './workspaces.ts';

/** What remains of a policy that acts on an imported destination. */
export interface ImporterPart {
  /** Undefined if nothing remains. */
  readonly object: TrafficPolicy | undefined;
  /** Fields that the importing workspace may not set. */
  readonly reports: readonly Report[];
  /** Callers outside the workspace; irrelevant if the policy selects the imported destination only by a matcher. */
  readonly aboutCallers: readonly Report[];
}

/** Limits a policy to callers in its workspace, and to the fields that support such a limit. */
export function importerPart(
  object: TrafficPolicy,
  workspace: string,
  owner: string,
  { read, workspaces }: { readonly read: Read; readonly workspaces: Workspaces },
): ImporterPart {
  const callers = read.get(workspaces.callers, key(workspace)) ?? [];
  const selectors = object.spec.sourceSelector ?? [];
  const limits = (selectors.length === 0 ? [{}] : selectors).map(({ kubeWorkloadMatcher = {} }) => ({
    required: kubeWorkloadMatcher,
    retained: limited(kubeWorkloadMatcher, callers),
  }));
  const sourceSelector = limits.flatMap(({ retained }) => retained);
  const aboutCallers = limits.flatMap(({ required, retained }, position) => {
    const field = selectors.length === 0 ? 'spec.sourceSelector' : `spec.sourceSelector[${position}]`;
    return leftOut(required, retained).map((who) => notOwnCallers(field, who, workspace, owner));
  });
  const policy = object.spec.policy ?? {};
  const shared = CONNECTION_FIELDS.filter((field) => policy[field] !== undefined);
  const reports = shared.map((field) => sharedByAll(field, workspace, owner));
  const retained = Object.fromEntries(
    Object.entries(policy).filter(([field]) => !shared.some((name) => name === field)),
  ) as TrafficRules;
  if (Object.keys(retained).length === 0) return { object: undefined, reports, aboutCallers: [] };
  if (sourceSelector.length === 0) return { object: undefined, reports, aboutCallers };
  return { object: { ...object, spec: { ...object.spec, sourceSelector, policy: retained } }, reports, aboutCallers };
}

/** Callers of one cluster, in namespaces of the workspace. */
interface Limited extends WorkloadSelector {
  readonly kubeWorkloadMatcher: KubeMatcher & { readonly namespaces: string[]; readonly clusters: string[] };
}

/** One selector for each cluster, since the namespaces of a workspace differ between clusters. */
function limited({ labels, namespaces = [], clusters = [] }: KubeMatcher, own: readonly CallersIn[]): Limited[] {
  return own
    .filter(({ cluster }) => clusters.length === 0 || clusters.includes(cluster))
    .flatMap(({ cluster, namespaces: all }) => {
      const callers = all.filter((namespace) => namespaces.length === 0 || namespaces.includes(namespace));
      if (callers.length === 0) return [];
      return [
        {
          kubeWorkloadMatcher: {
            ...(labels === undefined ? {} : { labels }),
            namespaces: callers,
            clusters: [cluster],
          },
        },
      ];
    });
}

/**
 * Places that a selector names and in which no caller remains; the selector itself if it names no place and no caller
 * remains.
 */
function leftOut({ namespaces = [], clusters = [] }: KubeMatcher, retained: readonly Limited[]): string[] {
  const [heldNamespaces, heldClusters] = [
    new Set(retained.flatMap(({ kubeWorkloadMatcher }) => kubeWorkloadMatcher.namespaces)),
    new Set(retained.flatMap(({ kubeWorkloadMatcher }) => kubeWorkloadMatcher.clusters)),
  ];
  const others = namespaces.filter((name) => !heldNamespaces.has(name));
  const away = clusters.filter((name) => !heldClusters.has(name));
  if (others.length > 0)
    return [`namespace ${others.join(', ')}${clusters.length === 0 ? '' : ` of ${clusters.join(', ')}`}`];
  if (away.length > 0) return [`cluster ${away.join(', ')}`];
  return retained.length > 0 ? [] : ['any cluster'];
}

function notOwnCallers(field: string, who: string, workspace: string, owner: string): Report {
  return {
    code: 'REF_NOT_PERMITTED',
    severity: 'warning',
    field,
    message: `the policy does not apply to callers of ${who}: for imported destinations, policies of workspace ${workspace} apply only to callers in its own namespaces, and it has none there; select callers in its namespaces, add the namespaces to Workspace ${workspace}, or request the change from workspace ${owner}`,
  };
}

function sharedByAll(field: string, workspace: string, owner: string): Report {
  return {
    code: 'REF_NOT_PERMITTED',
    severity: 'error',
    field: `spec.policy.${field}`,
    message: `${field} applies to all callers in a cluster, so workspace ${workspace} cannot set it for an imported destination; request the change from its owner, workspace ${owner}`,
  };
}
