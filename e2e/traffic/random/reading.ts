/** What policies specify for a call, read from their specs alone. */
import type { AccessPolicy, DestinationSelector, Federation, IdentitySelector, TrafficRules } from '@meshrelay/api';
import { type Call, type Client, FAILURE, LATE, podsOf, type Service, serviceNamed, TRUST_DOMAINS } from './fleet.ts';

/** One possible result of a call. */
export interface Outcome {
  /** 0: the caller does not know the name of the Service. */
  readonly status: number;
  /**
   * One of these responds, or received the request if no application's response returns. Empty: no application receives
   * it.
   */
  readonly pods: readonly string[];
  /** The port at which it received the request. */
  readonly port?: number;
  /** Minimum duration in milliseconds. */
  readonly least: number;
}

export interface Reading {
  /** The call has one of these results. */
  readonly outcomes: readonly Outcome[];
  /** Pods that may receive a copy of the request, and whether one of them must. */
  readonly copies: { readonly pods: readonly string[]; readonly must: boolean };
  /** Number of tries that arrive at applications, if every target fails or succeeds after the same number. */
  readonly tries?: number;
  /**
   * The share in percent of each result of many such calls, by `resultOf` or `status <status>`. Absent: not determined
   * by policies, only one is possible, or all are delayed.
   */
  readonly shares?: Readonly<Record<string, number>>;
}

/** Policies with an effect, and the federated Services. */
export interface Policies {
  /** What the TrafficPolicies of the called Service set for the call. */
  readonly rules: TrafficRules;
  /** AccessPolicies of a Service. */
  readonly access: (service: Service) => readonly AccessPolicy[];
  /** Whether calls that no AccessPolicy allows are denied. */
  readonly closed: boolean;
  readonly federation: Federation;
  /** Clusters of the members of the VirtualMesh. */
  readonly members: readonly string[];
}

/** A possible destination of a request. */
interface Target {
  readonly service: Service;
  readonly pods: readonly string[];
  readonly port: number;
  /** Relative to those of the others. */
  readonly weight: number;
}

export function readingOf(call: Call, policies: Policies): Reading {
  const nothing = { pods: [], must: false };
  if (call.federated && !isKnown(call.service, call.caller.cluster, policies))
    return { outcomes: [{ status: 0, pods: [], least: 0 }], copies: nothing };
  const { faultInjection: { abort, fixedDelay, percentage = 100 } = {} } = policies.rules;
  const delay = fixedDelay !== undefined && percentage === 100 ? milliseconds(fixedDelay) : 0;
  const aborted: Outcome[] =
    abort === undefined || percentage === 0 ? [] : [{ status: abort.httpStatus, pods: [], least: 0 }];
  if (abort !== undefined && percentage === 100) return { outcomes: aborted, copies: nothing };
  const copies = copiesOf(call, policies);
  const shares = sharesOf(call, policies);
  const tries = aborted.length === 0 ? triesOf(call, policies, copies) : undefined;
  return {
    outcomes: [
      ...aborted,
      ...routeTargetsOf(call, policies.rules).flatMap((target) => endsAt(target, call, policies, { delay, copies })),
    ],
    // Copies have the same timeout, and the policies specify nothing for those that it ends.
    copies: {
      pods: copies,
      must:
        copies.length > 0 &&
        (policies.rules.mirror?.percentage ?? 100) === 100 &&
        aborted.length === 0 &&
        policies.rules.requestTimeout === undefined,
    },
    ...(shares === undefined ? {} : { shares }),
    ...(tries === undefined ? {} : { tries }),
  };
}

/** Of a call whose application fails; a timeout may end it earlier, and copies arrive in addition. */
function triesOf(call: Call, policies: Policies, copies: readonly string[]): number | undefined {
  const { retries, requestTimeout, mirror } = policies.rules;
  const targets = routeTargetsOf(call, policies.rules);
  if (typeof call.application !== 'number' || requestTimeout !== undefined) return undefined;
  if (copies.length > 0 || (mirror !== undefined && mirror.percentage !== 0)) return undefined;
  if (!targets.every((target) => isAllowed(call, target, policies))) return undefined;
  const again = retriesOf(retries);
  if (again < call.application) return 1 + again;
  return targets.every(({ pods }) => pods.length === 1) ? 1 + call.application : undefined;
}

/** Number of retries of a request that an application fails. */
function retriesOf({ attempts = 0, retryOn = [] }: Partial<NonNullable<TrafficRules['retries']>> = {}): number {
  return retryOn.includes('5xx') ? attempts : 0;
}

/** Where every target responds at once, or denies, every call that is not aborted. */
function sharesOf(call: Call, policies: Policies): Reading['shares'] {
  const { faultInjection: { abort, fixedDelay, percentage = 100 } = {}, requestTimeout } = policies.rules;
  const targets = routeTargetsOf(call, policies.rules);
  const aborted = abort === undefined ? 0 : percentage;
  if (aborted === 0 && targets.length === 1) return undefined;
  if (call.application !== 'at once' || requestTimeout !== undefined || fixedDelay !== undefined) return undefined;
  const shares: Record<string, number> = {};
  const add = (result: string, share: number): void => {
    shares[result] = (shares[result] ?? 0) + share;
  };
  if (aborted > 0) add(`status ${abort?.httpStatus}`, aborted);
  const total = targets.reduce((sum, { weight }) => sum + weight, 0);
  for (const target of targets) {
    const share = ((100 - aborted) * target.weight) / total;
    if (!isAllowed(call, target, policies)) add('status 403', share);
    else for (const pod of target.pods) add(resultOf(pod, call.caller), share / target.pods.length);
  }
  return Object.keys(shares).length === 1 ? undefined : shares;
}

/**
 * The pod that responded; for a caller of another cluster only its Service, since gateways choose a pod for each
 * connection, not for each request.
 */
export function resultOf(pod: string, { cluster }: Client): string {
  return pod.endsWith(`.${cluster}`) ? pod : pod.replace(/-v\d+\./, '.');
}

/** Members of AccessPolicies that narrow them. */
export const ACCESS_MEMBERS = [
  ...['action', 'sourceSelector', 'allowedPaths', 'allowedMethods', 'allowedPorts'],
  ...['notPaths', 'notMethods', 'notPorts'],
] as const;

/** Members of AccessPolicies without which a call would have other results. */
export function decisiveAccessMembers(call: Call, policies: Policies): readonly string[] {
  const text = (read: Policies): string => JSON.stringify(readingOf(call, read));
  const whole = text(policies);
  const without = (member: string): Policies => ({
    ...policies,
    access: (service) =>
      policies.access(service).map((policy) => ({ ...policy, spec: { ...policy.spec, [member]: undefined } })),
  });
  return ACCESS_MEMBERS.filter((member) => text(without(member)) !== whole);
}

/** Whether a cluster knows the federated name of a Service: its own cluster does if another member does. */
function isKnown(service: Service, cluster: string, { members, federation }: Policies): boolean {
  return cluster === service.cluster
    ? members.some((member) => member !== cluster && isFederatedTo(member, service, federation))
    : isFederatedTo(cluster, service, federation);
}

function isFederatedTo(cluster: string, service: Service, { mode = 'SELECTED', selectors = [] }: Federation): boolean {
  if (mode !== 'SELECTED') return mode === 'ALL';
  return selectors.some(
    ({ destinationSelectors = [], meshes = [] }) =>
      isSelected(destinationSelectors, service) &&
      (meshes.length === 0 || meshes.some(({ name }) => name.endsWith(`-${cluster}`))),
  );
}

/** @param selectors of a policy, or of a federation */
export function isSelected(selectors: readonly DestinationSelector[], service: Service): boolean {
  return selectors.length === 0 || selectors.some((selector) => selectsService(selector, service));
}

function selectsService({ kubeServiceMatcher, kubeServiceRefs }: DestinationSelector, service: Service): boolean {
  const { labels = {}, namespaces = [], clusters = [] } = kubeServiceMatcher ?? {};
  const isMatched =
    kubeServiceMatcher !== undefined &&
    Object.entries(labels).every(([name, value]) => name === 'app' && value === service.name) &&
    (namespaces.length === 0 || namespaces.includes('shop')) &&
    (clusters.length === 0 || clusters.includes(service.cluster));
  const isNamed = (kubeServiceRefs?.services ?? []).some(
    ({ name, clusterName }) => name === service.name && clusterName === service.cluster,
  );
  return isMatched || isNamed;
}

function routeTargetsOf({ service, port }: Call, { trafficShift }: TrafficRules): Target[] {
  if (trafficShift === undefined) return [targetAt(service, podsOf(service), { port })];
  return trafficShift.destinations.flatMap(({ weight = 1, kubeService }) => {
    if (weight === 0 || kubeService === undefined) return [];
    const target = serviceNamed(kubeService.name, kubeService.clusterName);
    return [targetAt(target, podsOf(target, kubeService.subset?.['version']), { port: kubeService.port, weight })];
  });
}

/** @param port of the Service; its only one by default */
function targetAt(
  service: Service,
  pods: readonly string[],
  {
    port = Number(Object.keys(service.ports)[0]),
    weight = 1,
  }: { readonly port?: number | undefined; readonly weight?: number },
): Target {
  return { service, pods, port: service.ports[port] ?? 0, weight };
}

/** Pods that may receive a copy; none if a copy is denied. */
function copiesOf(call: Call, { rules: { mirror }, ...policies }: Policies): readonly string[] {
  if (mirror === undefined || mirror.percentage === 0) return [];
  const { name, clusterName } = mirror.kubeService;
  const service = serviceNamed(name, clusterName);
  const target = targetAt(service, podsOf(service), { port: mirror.port });
  return isAllowed(call, target, policies) ? target.pods : [];
}

/** Possible results of a call to this target. */
function endsAt(
  target: Target,
  call: Call,
  policies: Policies,
  { delay, copies }: { readonly delay: number; readonly copies: readonly string[] },
): Outcome[] {
  const { pods, port } = target;
  if (!isAllowed(call, target, policies)) return [{ status: 403, pods: [], least: delay }];
  const { requestTimeout, retries } = policies.rules;
  const timeout = requestTimeout === undefined ? Number.POSITIVE_INFINITY : milliseconds(requestTimeout);
  // Even a fast application may respond late on a busy machine.
  const late: Outcome[] = timeout < Number.POSITIVE_INFINITY ? [{ status: 504, pods, least: timeout }] : [];
  if (call.application === 'late')
    return timeout < LATE ? late : [...late, { status: 200, pods, port, least: delay + LATE }];
  const failing = call.application === 'at once' ? 0 : call.application;
  const again = retriesOf(retries);
  // Each pod counts attempts separately, including copies.
  const isCopied = pods.some((pod) => copies.includes(pod));
  const isCounted = !isCopied && (pods.length === 1 || again < failing);
  const statuses = failing === 0 ? [200] : isCounted ? [again < failing ? FAILURE : 200] : [200, FAILURE];
  return [...late, ...statuses.map((status) => ({ status, pods, port, least: delay }))];
}

function isAllowed({ caller, request }: Call, { service, port }: Target, policies: Omit<Policies, 'rules'>): boolean {
  const all = policies.access(service);
  const fitting = all.filter(({ spec }) => isAbout(spec, request, port) && isFrom(spec, caller));
  const of = (action: string) => (policy: AccessPolicy) => (policy.spec.action ?? 'ALLOW') === action;
  if (fitting.some(of('DENY'))) return false;
  return fitting.some(of('ALLOW')) || !(policies.closed || all.some(of('ALLOW')));
}

function isAbout(spec: AccessPolicy['spec'], { path, method }: Call['request'], port: number): boolean {
  const { allowedPaths = [], allowedMethods = [], allowedPorts = [] } = spec;
  const { notPaths = [], notMethods = [], notPorts = [] } = spec;
  const isPath = (pattern: string): boolean => {
    if (pattern.endsWith('*')) return path.startsWith(pattern.slice(0, -1));
    return pattern.startsWith('*') ? path.endsWith(pattern.slice(1)) : path === pattern;
  };
  return (
    (allowedPaths.length === 0 || allowedPaths.some(isPath)) &&
    (allowedMethods.length === 0 || allowedMethods.includes(method)) &&
    (allowedPorts.length === 0 || allowedPorts.includes(port)) &&
    !notPaths.some(isPath) &&
    !notMethods.includes(method) &&
    !notPorts.includes(port)
  );
}

/** Every caller here proves an identity of the virtual mesh. */
function isFrom({ sourceSelector = [] }: AccessPolicy['spec'], caller: Client): boolean {
  return sourceSelector.length === 0 || sourceSelector.some((selector) => selectsIdentity(selector, caller));
}

function selectsIdentity(selector: IdentitySelector, { cluster, namespace, account }: Client): boolean {
  const { kubeIdentityMatcher, kubeServiceAccountRefs } = selector;
  if (kubeIdentityMatcher === undefined && kubeServiceAccountRefs === undefined) return true;
  const { namespaces = [], clusters = [], trustDomains = [] } = kubeIdentityMatcher ?? {};
  const isMatched =
    kubeIdentityMatcher !== undefined &&
    (namespaces.length === 0 || namespaces.includes(namespace)) &&
    (clusters.length === 0 || clusters.includes(cluster)) &&
    (trustDomains.length === 0 || trustDomains.includes(TRUST_DOMAINS[cluster] ?? ''));
  const isNamed = (kubeServiceAccountRefs?.serviceAccounts ?? []).some(
    ({ name = account, namespace: of = namespace, clusterName = cluster }) =>
      name === account && of === namespace && clusterName === cluster,
  );
  return isMatched || isNamed;
}

/** Parses `300ms`. */
function milliseconds(duration: string): number {
  return Number(/^(\d+)ms$/.exec(duration)?.[1]);
}
