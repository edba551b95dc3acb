/** Access policies of one destination, as rules about principals. */
import { type AccessPolicy, type PolicyRef, type PolicyState, type Report, shortList } from '@meshrelay/api';
import {
  type AccessRuleView,
  type Key,
  type MeshFacts,
  memoize,
  memoizeUntilCompaction,
  type Read,
} from '@meshrelay/plugin';
import { internList } from '../../caches/intern-list.ts';
import { InternPool } from '../../caches/intern-pool.ts';
import type { AccessContext, Domains } from '../../fields/access/field.ts';
import { accessRuleOf, namesMeshes } from '../../fields/access/mod.ts';
import type { CheckedPolicy, Outcome } from '../policies/mod.ts';
import type { Members } from '../virtual-meshes/mod.ts';

export interface AccessPlan {
  readonly rules: readonly AccessRuleView[];
  readonly outcomes: readonly Outcome[];
}

/** The parts of a policy that a plan depends on; a new acceptance of the same spec does not change them. */
interface PolicyContent {
  readonly ref: PolicyRef;
  readonly spec: AccessPolicy['spec'];
}

/**
 * The inputs of a plan. They are stored in place of the plan, since they take a tenth of its memory. Destinations with
 * the same policies and the same accepted trust domains share one object. A new acceptance sequence in the ledger does
 * not change it.
 */
export interface AccessBasis {
  readonly policies: readonly PolicyContent[];
  /** The trust domains that the mesh accepts. */
  readonly domains: readonly string[];
}

/** The mesh of a destination, and the identities that this mesh trusts. */
export interface TrustBoundary {
  readonly mesh: MeshFacts;
  /** The mesh accepts the identities of all members of this virtual mesh; undefined: it accepts only its own. */
  readonly virtualMesh?: Key;
  /** The trust domains it accepts, each once and sorted; meshes that accept the same domains share one list. */
  readonly domains: readonly string[];
  /** Trust domains of other meshes that it accepts, or treats as its own; shared like `domains`. */
  readonly otherDomains: readonly string[];
}

/**
 * A mesh with the trust domains it accepts.
 * @param belongsToAnotherMesh whether a mesh other than this one has the trust domain
 */
export function trustBoundaryOf(
  mesh: MeshFacts,
  virtualMesh: Key | undefined,
  domains: readonly string[],
  belongsToAnotherMesh: (domain: string) => boolean,
): TrustBoundary {
  const others = [...domains, ...mesh.trustDomainAliases].filter(
    (domain) => domain !== mesh.trustDomain && belongsToAnotherMesh(domain),
  );
  return {
    mesh,
    ...(virtualMesh === undefined ? {} : { virtualMesh }),
    domains: sharedList(domains),
    otherDomains: sharedList([...new Set(others)].sort()),
  };
}

/** Returns one shared list for all equal lists. */
function sharedList(domains: readonly string[]): readonly string[] {
  return SHARED_LISTS.of(JSON.stringify(domains), domains);
}

const SHARED_LISTS = new InternPool<readonly string[]>();

/** The meshes whose identities a mesh accepts, by trust domain or by cluster. */
export interface Peers {
  ofTrustDomain(domain: string): readonly MeshFacts[];
  inCluster(cluster: string): readonly MeshFacts[];
}

/** The meshes that a trust boundary accepts. A transform of the graph calls this with its own `read`. */
export function peersOf({ mesh, virtualMesh }: TrustBoundary, members: Members, read: Read): Peers {
  if (virtualMesh === undefined)
    return {
      ofTrustDomain: (domain) => (mesh.trustDomain === domain ? [mesh] : []),
      inCluster: (cluster) => (mesh.cluster === cluster ? [mesh] : []),
    };
  return {
    ofTrustDomain: (domain) => members.ofTrustDomain(read, virtualMesh, domain),
    inCluster: (cluster) => members.inCluster(read, virtualMesh, cluster),
  };
}

/** Lookups of meshes, for policies that name clusters. */
export interface MeshLookups {
  /** The meshes of a cluster, whether members of a virtual mesh or not. */
  meshesOf(cluster: string): readonly MeshFacts[];
  readonly peers: Peers;
}

/**
 * Returns the inputs of the plan of these policies, or the plan itself if a policy names clusters or trust domains. Its
 * rules then also depend on meshes.
 */
export function accessOf(
  policies: ReadonlyArray<CheckedPolicy<AccessPolicy>>,
  trustBoundary: TrustBoundary,
  lookups: MeshLookups,
): AccessBasis | AccessPlan {
  const contents = contentsOf(policies);
  if (!contents.some(({ spec }) => namesMeshes(spec))) return basisFor(trustBoundary.domains)(contents);
  const context: AccessContext = {
    domains: trustBoundary.domains,
    inClusters: (clusters, field) => domainsOf(clusters, field, lookups),
    named: (domains, field) => namedDomains(domains, field, trustBoundary),
  };
  return planOf(
    contents.map((one) =>
      namesMeshes(one.spec) ? evaluate(one, context) : memoizedEvaluator(trustBoundary.domains)(one),
    ),
  );
}

/**
 * Returns the plan, with its rules in the order of the policies. A source that the mesh cannot identify is removed from
 * its rule, and the policy gets a report. An ALLOW then admits no caller for that source and still closes the
 * destination; a DENY still rejects the other sources.
 */
export function planAccess(of: AccessBasis | AccessPlan): AccessPlan {
  return 'rules' in of ? of : planOfBasis(of);
}

const planOfBasis = memoizeUntilCompaction(
  ({ policies, domains }: AccessBasis): AccessPlan => planOf(policies.map(evaluatorUntilCompaction(domains))),
);

/** The result of evaluating one policy. */
interface Evaluation {
  readonly rule?: AccessRuleView;
  readonly outcome: Outcome;
}

function planOf(evaluations: readonly Evaluation[]): AccessPlan {
  return {
    rules: evaluations.flatMap(({ rule }) => rule ?? []),
    outcomes: evaluations.map(({ outcome }) => outcome),
  };
}

/** A policy that names no clusters and no trust domains gives the same result on all of its destinations. */
const evaluatorUntilCompaction = memoizeUntilCompaction((domains: readonly string[]) => memoize(evaluator(domains)));

/** For plans that are stored: plans of other commits share these rules. */
const memoizedEvaluator = memoize((domains: readonly string[]) => memoize(evaluator(domains)));

function evaluator(domains: readonly string[]): (content: PolicyContent) => Evaluation {
  const context: AccessContext = { domains, inClusters: () => NO_DOMAINS, named: () => NO_DOMAINS };
  return (content) => evaluate(content, context);
}

/** Lists of policies with equal contents share one list of contents. */
const contentsOf = memoizeUntilCompaction((policies: ReadonlyArray<CheckedPolicy<AccessPolicy>>) =>
  internList(policies.map(({ ref, object }) => contentsBy(ref)(object))),
);

const contentsBy = memoize((ref: PolicyRef) => memoize(({ spec }: AccessPolicy): PolicyContent => ({ ref, spec })));

const basisFor = memoize((domains: readonly string[]) =>
  memoize((policies: readonly PolicyContent[]): AccessBasis => ({ policies, domains })),
);

function evaluate({ spec, ref }: PolicyContent, context: AccessContext): Evaluation {
  const { rule, reports } = accessRuleOf(spec, context);
  const outcome = { policy: ref, state: stateOf(reports), reports };
  // A DENY without callers rejects nothing and can go. An ALLOW without callers rejects every caller: without it the
  // destination would be open to all.
  const { action, sources } = rule;
  if (action === 'DENY' && sources.kind === 'principals' && sources.principals.length === 0) return { outcome };
  return { rule: { ...rule, from: [ref] }, outcome };
}

/** PENDING if a trust domain is unknown: it may appear later. DEGRADED if no mesh can identify a source. */
function stateOf(reports: readonly Report[]): PolicyState {
  if (reports.some(({ severity }) => severity === 'error')) return 'PENDING';
  return reports.every(({ severity }) => severity === 'info') ? 'ACCEPTED' : 'DEGRADED';
}

const NO_DOMAINS: Domains = { domains: [], reports: [] };

/** Named trust domains. If no accepted mesh has a domain now, one may get it later. */
function namedDomains(required: readonly string[], field: string, { domains }: TrustBoundary): Domains {
  const reports = required
    .filter((domain) => !domains.includes(domain))
    .map((domain): Report => {
      const message = `no mesh whose identities are accepted has the trust domain ${domain} (accepted: ${shortList(domains, MAX_SHOWN)}), so its identities are left out; it takes effect when a mesh has this trust domain`;
      return { code: 'UNKNOWN_TRUST_DOMAIN', severity: 'error', field, message };
    });
  return { domains: domains.filter((domain) => required.includes(domain)), reports };
}

const MAX_SHOWN = 5;

/**
 * Trust domains of named clusters. If a cluster that is not named shares one, its identities are admitted too, and a
 * report says so.
 */
function domainsOf(clusters: readonly string[], field: string, { meshesOf, peers }: MeshLookups): Domains {
  const reports: Report[] = [];
  const domains = new Set<string>();
  for (const cluster of clusters) {
    const meshes = meshesOf(cluster);
    for (const { trustDomain } of meshes) domains.add(trustDomain);
    if (meshes.length > 0) continue;
    const message = `no mesh with an accepted trust domain is known in cluster ${cluster}, so its identities are left out; it takes effect when such a mesh is discovered`;
    reports.push({ code: 'UNKNOWN_TRUST_DOMAIN', severity: 'error', field, message });
  }
  const ambiguous = [...domains]
    .flatMap((domain) => peers.ofTrustDomain(domain))
    .filter(({ cluster }) => !clusters.includes(cluster));
  if (ambiguous.length > 0) {
    const others = listed(ambiguous.map(({ cluster }) => cluster));
    const shared = listed(ambiguous.map(({ trustDomain }) => trustDomain));
    const message = `identities of ${clusters.join(', ')} cannot be distinguished from those of ${others}, whose meshes have the same trust domain (${shared}): the policy also applies to the same namespace and ServiceAccount there; give each mesh its own trust domain`;
    reports.push({ code: 'AMBIGUOUS_IDENTITY', severity: 'warning', field, message });
  }
  return { domains: [...domains].sort(), reports };
}

function listed(names: readonly string[]): string {
  return [...new Set(names)].sort().join(', ');
}
