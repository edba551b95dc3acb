/** Service isolation: which callers may call the destinations of a workspace with isolation. */
import { type Report, shortList } from '@meshrelay/api';
import { type AccessRuleView, type Collection, key, type Read } from '@meshrelay/plugin';
import { CLOSED_RULE } from '../../fields/access/mod.ts';
import type { Graph } from '../../graph/collection.ts';
import type { ResolveContext } from '../resolve-context.ts';
import type { Workspaces } from '../workspaces/mod.ts';
import { type AccessPlan, type Peers, peersOf, type TrustBoundary } from './access.ts';

/**
 * One rule for each destination of an isolated workspace, by destination key. It admits callers of the workspace and of
 * workspaces that import the destination, and rejects all others.
 * If AccessPolicies allow callers, only they decide, as without isolation. An additional rule would open to the whole
 * workspace what they restrict to a part of it. Ingress gateways stay open.
 * @param homes which identities each mesh trusts, by mesh key
 * @param access the plans of AccessPolicies, by destination key
 */
export function isolationPlans(
  graph: Graph,
  {
    destinations,
    ingress,
    members,
    authorities: { workspaces, shares },
  }: Pick<ResolveContext, 'destinations' | 'ingress' | 'members' | 'authorities'>,
  homes: Collection<TrustBoundary>,
  access: Collection<AccessPlan>,
): Collection<AccessPlan> {
  const isolated = graph.derive('workspaces/isolated', shares.settings, ([settings]) =>
    settings?.spec.options?.serviceIsolation === true ? settings.ref : undefined,
  );
  return graph.inline('workspaces/isolation', destinations.known, (destination, read, id): AccessPlan | undefined => {
    const { mesh, workspace, importedBy = [] } = destination;
    if (mesh === undefined || workspace === undefined) return undefined;
    const from = read.get(isolated, key(workspace));
    const namespaceOwner = from === undefined ? undefined : read.get(homes, mesh.key);
    if (from === undefined || namespaceOwner === undefined || read.has(ingress.known, id)) return undefined;
    if ((read.get(access, id)?.rules ?? []).some(({ action }) => action === 'ALLOW')) return undefined;
    const callers = callersOf(read, workspaces, [workspace, ...importedBy]);
    const peers = peersOf(namespaceOwner, members, read);
    const principals = principalsOf(peers, callers);
    const rule: AccessRuleView = {
      ...CLOSED_RULE,
      sources: { kind: 'principals', principals },
      from: [from],
    };
    const reports = alsoLetIn(peers, callers);
    return {
      rules: [rule],
      outcomes: [{ policy: from, state: reports.length === 0 ? 'ACCEPTED' : 'DEGRADED', reports }],
    };
  });
}

/** Namespaces of workspaces, by cluster. */
function callersOf(
  read: Read,
  workspaces: Workspaces,
  names: readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const name of names) {
    for (const { cluster, namespaces } of read.get(workspaces.callers, key(name)) ?? []) {
      const own = found.get(cluster) ?? new Set();
      found.set(cluster, own);
      for (const namespace of namespaces) own.add(namespace);
    }
  }
  return found;
}

function principalsOf(peers: Peers, callers: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const principals = [...callers].flatMap(([cluster, namespaces]) =>
    peers
      .inCluster(cluster)
      .flatMap(({ trustDomain }) => [...namespaces].map((namespace) => `${trustDomain}/ns/${namespace}/*`)),
  );
  return [...new Set(principals)].sort();
}

/**
 * Identities do not distinguish clusters of one trust domain, so the rule also admits the same namespace of other
 * clusters.
 */
function alsoLetIn(peers: Peers, callers: ReadonlyMap<string, ReadonlySet<string>>): Report[] {
  const mistaken = [...callers].flatMap(([cluster, namespaces]) => {
    const domains = new Set(peers.inCluster(cluster).map(({ trustDomain }) => trustDomain));
    const alike = [...domains].flatMap((domain) => peers.ofTrustDomain(domain));
    return alike
      .filter((other) => other.cluster !== cluster)
      .flatMap((other) => {
        const meant = callers.get(other.cluster) ?? new Set();
        return [...namespaces]
          .filter((namespace) => !meant.has(namespace))
          .map((namespace) => `${namespace} of ${other.cluster}`);
      });
  });
  if (mistaken.length === 0) return [];
  const named = [...new Set(mistaken)].sort();
  const shown = shortList(named, MAX_NAMED);
  return [
    {
      code: 'AMBIGUOUS_IDENTITY',
      severity: 'warning',
      field: 'spec.options.serviceIsolation',
      message: `identities of clusters that share a trust domain cannot be distinguished, so callers of these namespaces are allowed, too, where they exist: ${shown}; give each mesh its own trust domain`,
    },
  ];
}

const MAX_NAMED = 10;
