/** Access policies of one destination as rules about principals. */
import {
  type AccessPolicy,
  DEFAULT_ACCESS_ACTION,
  type IdentitySelector,
  type PolicyRef,
  type PolicyState,
  type Report,
  type ServiceAccountRef,
  shortList,
} from '@meshrelay/api';
import type { Read } from '../graph/collection.ts';
import type { Key } from '../graph/key.ts';
import { internList } from '../plugin/intern-list.ts';
import { InternPool } from '../plugin/intern-pool.ts';
import { memoize, memoizeUntilCompaction } from '../plugin/memoize.ts';
import type { AccessRuleView, AccessSources, MeshFacts } from '../plugin/views/mod.ts';
import type { Members } from './members.ts';
import type { CheckedPolicy } from './policies.ts';
import type { Outcome } from './traffic-plan.ts';

export interface AccessPlan {
  readonly rules: readonly AccessRuleView[];
  readonly outcomes: readonly Outcome[];
}

/** What a policy says, whenever it was accepted. */
interface Statement {
  readonly ref: PolicyRef;
  readonly spec: AccessPolicy['spec'];
}

/**
 * What a plan follows from, in place of the plan: a tenth of it, the very same for all destinations with the same policies whose meshes accept the same, and not
 * another because the ledger has taken up a policy's turn.
 */
export interface AccessBasis {
  readonly policies: readonly Statement[];
  /** The trust domains that are accepted. */
  readonly domains: readonly string[];
}

/** Where a destination is, and whom it trusts. */
export interface TrustBoundary {
  readonly mesh: MeshFacts;
  /** The virtual mesh whose members' identities that mesh accepts; undefined: it accepts its own alone. */
  readonly virtualMesh?: Key;
  /** The trust domains it accepts, each once and sorted; the very same list for all meshes that accept the same. */
  readonly domains: readonly string[];
  /** Trust domains of other meshes that it accepts, or takes for its own; as the list of `domains` is. */
  readonly otherDomains: readonly string[];
}

/**
 * A mesh with what it accepts.
 * @param isAnothers whether another mesh has a trust domain
 */
export function trustBoundaryOf(
  mesh: MeshFacts,
  virtualMesh: Key | undefined,
  domains: readonly string[],
  isAnothers: (domain: string) => boolean,
): TrustBoundary {
  const others = [...domains, ...mesh.trustDomainAliases].filter(
    (domain) => domain !== mesh.trustDomain && isAnothers(domain),
  );
  return {
    mesh,
    ...(virtualMesh === undefined ? {} : { virtualMesh }),
    domains: theList(domains),
    otherDomains: theList([...new Set(others)].sort()),
  };
}

/** The very same for all lists of these. */
function theList(domains: readonly string[]): readonly string[] {
  return DOMAINS.of(JSON.stringify(domains), domains);
}

const DOMAINS = new InternPool<readonly string[]>();

/** The meshes whose identities a mesh accepts: those that have a trust domain, or are in a cluster. */
export interface Peers {
  ofTrustDomain(domain: string): readonly MeshFacts[];
  inCluster(cluster: string): readonly MeshFacts[];
}

/** Those of a home, as a transform looks at them. */
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

/** What is asked of meshes where policies name clusters. */
export interface Around {
  /** The meshes of a cluster, members or not. */
  meshesOf(cluster: string): readonly MeshFacts[];
  readonly peers: Peers;
}

/** What identities there can be. */
interface Trust {
  /** Those that the destination's mesh accepts. */
  readonly domains: readonly string[];
  /** Those of clusters by name. */
  inClusters(clusters: readonly string[], field: string): Domains;
  /** Those of some by their own names. */
  named(domains: readonly string[], field: string): Domains;
}

/** What the plan of these policies follows from: of policies that name clusters or trust domains more than themselves, so that it is the plan. */
export function accessOf(
  policies: ReadonlyArray<CheckedPolicy<AccessPolicy>>,
  trustBoundary: TrustBoundary,
  around: Around,
): AccessBasis | AccessPlan {
  const statements = statementsOf(policies);
  if (!statements.some(namesDomains)) return basesAmong(trustBoundary.domains)(statements);
  const trust: Trust = {
    domains: trustBoundary.domains,
    inClusters: (clusters, field) => domainsOf(clusters, field, around),
    named: (domains, field) => namedDomains(domains, field, trustBoundary),
  };
  return planOf(
    statements.map((one) => (namesDomains(one) ? evaluate(one, trust) : evaluationsAmong(trustBoundary.domains)(one))),
  );
}

/**
 * The rules in the order of the policies. A source that cannot be told is left out of its rule, and the policy says so: an ALLOW lets nobody in
 * for it and keeps all others out as before, a DENY still refuses the rest.
 */
export function planAccess(of: AccessBasis | AccessPlan): AccessPlan {
  return 'rules' in of ? of : madeOf(of);
}

const madeOf = memoizeUntilCompaction(
  ({ policies, domains }: AccessBasis): AccessPlan => planOf(policies.map(evaluationsUntilCompaction(domains))),
);

/** What one policy comes to. */
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

/** A policy that names no clusters and no trust domains comes to the same on all of its destinations. */
const evaluationsUntilCompaction = memoizeUntilCompaction((domains: readonly string[]) =>
  memoize(evaluatedAmong(domains)),
);

/** For plans that are kept: those of other commits have the very same rules. */
const evaluationsAmong = memoize((domains: readonly string[]) => memoize(evaluatedAmong(domains)));

function evaluatedAmong(domains: readonly string[]): (statement: Statement) => Evaluation {
  const trust: Trust = { domains, inClusters: () => NO_DOMAINS, named: () => NO_DOMAINS };
  return (statement) => evaluate(statement, trust);
}

/** The same policies say the same in lists of any time. */
const statementsOf = memoizeUntilCompaction((policies: ReadonlyArray<CheckedPolicy<AccessPolicy>>) =>
  internList(policies.map(({ ref, object }) => statementsBy(ref)(object))),
);

const statementsBy = memoize((ref: PolicyRef) => memoize(({ spec }: AccessPolicy): Statement => ({ ref, spec })));

const basesAmong = memoize((domains: readonly string[]) =>
  memoize((policies: readonly Statement[]): AccessBasis => ({ policies, domains })),
);

/** Only then does it matter which meshes there are beyond the destination's peers, and which trust domains its own takes for one. */
function namesDomains({ spec }: Statement): boolean {
  return (spec.sourceSelector ?? []).some(
    ({ kubeIdentityMatcher, kubeServiceAccountRefs }) =>
      (kubeIdentityMatcher?.clusters ?? []).length + (kubeIdentityMatcher?.trustDomains ?? []).length > 0 ||
      (kubeServiceAccountRefs?.serviceAccounts ?? []).some(({ clusterName = '' }) => clusterName !== ''),
  );
}

function evaluate({ spec, ref }: Statement, trust: Trust): Evaluation {
  const { sources, reports: aboutSources } = sourcesOf(spec.sourceSelector, spec.unauthenticated === true, trust);
  const reports = deniesOnlyTheAuthenticated(spec) ? [...aboutSources, UNAUTHENTICATED_NOT_DENIED] : aboutSources;
  const outcome = { policy: ref, state: stateOf(reports), reports };
  // A DENY of nobody refuses nothing, where an ALLOW of nobody refuses everybody: without it the destination would be open to all.
  if (spec.action === 'DENY' && sources.kind === 'principals' && sources.principals.length === 0) return { outcome };
  const rule: AccessRuleView = {
    action: spec.action ?? DEFAULT_ACCESS_ACTION,
    sources,
    paths: spec.allowedPaths ?? [],
    methods: spec.allowedMethods ?? [],
    ports: spec.allowedPorts ?? [],
    notPaths: spec.notPaths ?? [],
    notMethods: spec.notMethods ?? [],
    notPorts: spec.notPorts ?? [],
    from: [ref],
  };
  return { rule, outcome };
}

/** A DENY that reads as if it were for everybody, and like every policy without sources is for identities only. */
function deniesOnlyTheAuthenticated({ action, unauthenticated, sourceSelector = [] }: AccessPolicy['spec']): boolean {
  const everybody = sourceSelector.length === 0 || sourceSelector.some((item) => Object.keys(item).length === 0);
  return action === 'DENY' && unauthenticated !== true && everybody;
}

const UNAUTHENTICATED_NOT_DENIED: Report = {
  code: 'UNAUTHENTICATED_NOT_DENIED',
  severity: 'info',
  field: 'spec.unauthenticated',
  message:
    'denies every identity of the virtual mesh, but no caller without one; set unauthenticated: true to deny those too',
};

/** An unknown trust domain may become known; what no mesh can tell never will. */
function stateOf(reports: readonly Report[]): PolicyState {
  if (reports.some(({ severity }) => severity === 'error')) return 'PENDING';
  return reports.every(({ severity }) => severity === 'info') ? 'ACCEPTED' : 'DEGRADED';
}

function sourcesOf(
  selectors: readonly IdentitySelector[] | undefined,
  unauthenticated: boolean,
  trust: Trust,
): { readonly sources: AccessSources; readonly reports: readonly Report[] } {
  if (unauthenticated) return { sources: { kind: 'anyone' }, reports: [] };
  const items = selectors === undefined || selectors.length === 0 ? [{}] : selectors;
  const found = items.map((selector, position) => principalsOf(selector, `spec.sourceSelector[${position}]`, trust));
  const principals = [...new Set(found.flatMap((one) => one.principals))].sort();
  return { sources: { kind: 'principals', principals }, reports: found.flatMap(({ reports }) => reports) };
}

interface Principals {
  readonly principals: readonly string[];
  readonly reports: readonly Report[];
}

function principalsOf(selector: IdentitySelector, field: string, trust: Trust): Principals {
  const { kubeIdentityMatcher, kubeServiceAccountRefs } = selector;
  if (kubeIdentityMatcher === undefined && kubeServiceAccountRefs === undefined) {
    return { principals: trust.domains.map((domain) => `${domain}/*`), reports: [] };
  }
  const parts: Principals[] = [];
  if (kubeIdentityMatcher !== undefined) {
    const { namespaces = [], clusters = [], trustDomains = [] } = kubeIdentityMatcher;
    const path = `${field}.kubeIdentityMatcher`;
    const ofClusters = clusters.length === 0 ? anyCluster(trust) : trust.inClusters(clusters, `${path}.clusters`);
    const { domains, reports } =
      trustDomains.length === 0 ? ofClusters : both(ofClusters, trust.named(trustDomains, `${path}.trustDomains`));
    const endings = namespaces.length === 0 ? ['*'] : namespaces.map((namespace) => `ns/${namespace}/*`);
    parts.push({ principals: domains.flatMap((domain) => endings.map((ending) => `${domain}/${ending}`)), reports });
  }
  for (const [position, account] of (kubeServiceAccountRefs?.serviceAccounts ?? []).entries()) {
    parts.push(accountPrincipals(account, `${field}.kubeServiceAccountRefs.serviceAccounts[${position}]`, trust));
  }
  return { principals: parts.flatMap((one) => one.principals), reports: parts.flatMap((one) => one.reports) };
}

function accountPrincipals(
  { name = '', namespace = '', clusterName = '' }: ServiceAccountRef,
  field: string,
  trust: Trust,
): Principals {
  if (namespace === '' && name !== '') {
    return {
      principals: [],
      reports: [
        {
          code: 'UNSUPPORTED',
          severity: 'warning',
          field: `${field}.namespace`,
          message: `ServiceAccount ${name} of any namespace cannot be told by a mesh, so it is left out; name its namespace`,
        },
      ],
    };
  }
  const { domains, reports } =
    clusterName === '' ? anyCluster(trust) : trust.inClusters([clusterName], `${field}.clusterName`);
  const ending = namespace === '' ? '*' : name === '' ? `ns/${namespace}/*` : `ns/${namespace}/sa/${name}`;
  return { principals: domains.map((domain) => `${domain}/${ending}`), reports };
}

interface Domains {
  readonly domains: readonly string[];
  readonly reports: readonly Report[];
}

const NO_DOMAINS: Domains = { domains: [], reports: [] };

function anyCluster({ domains }: Trust): Domains {
  return { domains, reports: [] };
}

/** Named trust domains. One that no mesh has whose identities are accepted may come to be. */
function namedDomains(required: readonly string[], field: string, { domains }: TrustBoundary): Domains {
  const reports = required
    .filter((domain) => !domains.includes(domain))
    .map((domain): Report => {
      const message = `no mesh whose identities are accepted has the trust domain ${domain} (they have ${shortList(domains, MAX_SHOWN)}), so its identities are left out; it takes effect once there is one`;
      return { code: 'UNKNOWN_TRUST_DOMAIN', severity: 'error', field, message };
    });
  return { domains: domains.filter((domain) => required.includes(domain)), reports };
}

/** What is of both. */
function both(one: Domains, other: Domains): Domains {
  return {
    domains: one.domains.filter((domain) => other.domains.includes(domain)),
    reports: [...one.reports, ...other.reports],
  };
}

const MAX_SHOWN = 5;

/** Trust domains of named clusters. Where a cluster that is not named shares one, its identities are let in too, which is said. */
function domainsOf(clusters: readonly string[], field: string, { meshesOf, peers }: Around): Domains {
  const reports: Report[] = [];
  const domains = new Set<string>();
  for (const cluster of clusters) {
    const meshes = meshesOf(cluster);
    for (const { trustDomain } of meshes) domains.add(trustDomain);
    if (meshes.length > 0) continue;
    const message = `no mesh with a trust domain that counts is known in cluster ${cluster}, so its trust domain is not known and its identities are left out; it takes effect once there is one`;
    reports.push({ code: 'UNKNOWN_TRUST_DOMAIN', severity: 'error', field, message });
  }
  const alike = [...domains]
    .flatMap((domain) => peers.ofTrustDomain(domain))
    .filter(({ cluster }) => !clusters.includes(cluster));
  if (alike.length > 0) {
    const others = listed(alike.map(({ cluster }) => cluster));
    const shared = listed(alike.map(({ trustDomain }) => trustDomain));
    const message = `identities of ${clusters.join(', ')} cannot be told from those of ${others}, whose meshes have the same trust domain (${shared}): the same namespace and ServiceAccount there are meant too; give them trust domains of their own`;
    reports.push({ code: 'IDENTITY_NOT_SEPARABLE', severity: 'warning', field, message });
  }
  return { domains: [...domains].sort(), reports };
}

function listed(names: readonly string[]): string {
  return [...new Set(names)].sort().join(', ');
}
