/** TrafficPolicies of a workspace on what it imports: they hold for its own callers alone, so only for what a route can say. */
import type { KubeMatcher, Report, TrafficPolicy, TrafficRules, WorkloadSelector } from '@meshrelay/api';
import type { Read } from '../../graph/collection.ts';
import { key } from '../../graph/key.ts';
import { CONNECTION_FIELDS } from '../traffic-plan.ts';
import type { CallersIn, Workspaces } from './workspaces.ts';

/** What is left of a policy where it acts as an importer's. */
export interface ImporterPart {
  /** Undefined where nothing is left. */
  readonly object: TrafficPolicy | undefined;
  readonly reports: readonly Report[];
}

/** Limits a policy to callers in its workspace, and to the fields that can be limited so. */
export function importerPart(
  object: TrafficPolicy,
  workspace: string,
  owner: string,
  { read, workspaces }: { readonly read: Read; readonly workspaces: Workspaces },
): ImporterPart {
  const callers = read.get(workspaces.callers, key(workspace)) ?? [];
  const selectors = object.spec.sourceSelector ?? [];
  const sourceSelector = (selectors.length === 0 ? [{}] : selectors).flatMap(({ kubeWorkloadMatcher = {} }) =>
    limited(kubeWorkloadMatcher, callers),
  );
  const policy = object.spec.policy ?? {};
  const shared = CONNECTION_FIELDS.filter((field) => policy[field] !== undefined);
  const reports = shared.map((field) => sharedByAll(field, workspace, owner));
  const kept = Object.fromEntries(
    Object.entries(policy).filter(([field]) => !shared.some((name) => name === field)),
  ) as TrafficRules;
  if (sourceSelector.length === 0 || Object.keys(kept).length === 0) return { object: undefined, reports };
  return { object: { ...object, spec: { ...object.spec, sourceSelector, policy: kept } }, reports };
}

/** One selector for each cluster, since the namespaces of a workspace differ from cluster to cluster. */
function limited(
  { labels, namespaces = [], clusters = [] }: KubeMatcher,
  own: readonly CallersIn[],
): WorkloadSelector[] {
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

function sharedByAll(field: string, workspace: string, owner: string): Report {
  return {
    code: 'NOT_GRANTED',
    severity: 'error',
    field: `spec.policy.${field}`,
    message: `${field} holds for all callers in a cluster alike, so on what workspace ${workspace} imports it is for its owner to set: ask for it in workspace ${owner}`,
  };
}
