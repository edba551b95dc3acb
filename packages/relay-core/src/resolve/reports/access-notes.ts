/** Limits of access rules that follow from how proxies enforce them: per pod, and per port. */
import type { Report } from '@meshrelay/api';
import {
  type AccessRuleView,
  type Collection,
  type Group,
  type Key,
  key,
  memoizeUntilCompaction,
  type PortView,
} from '@meshrelay/plugin';
import { memoizeFew } from '../../caches/memoize-few.ts';
import { appliesToPort, readsRequests } from '../../fields/access/mod.ts';
import type { Graph } from '../../graph/collection.ts';
import { hasAll } from '../../input/labels.ts';
import type { AccessPlan } from '../access/mod.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { type Destinations, hasTcpPort, type KnownDestination } from '../inventory/mod.ts';
import type { DiagnoseDestination } from './diagnose-destination.ts';

/** Reports to policies whose rules reach further, or less far, than the destination they select. */
export function accessNotes(graph: Graph, plans: Collection<AccessPlan>, { known }: Destinations): DiagnoseDestination {
  const alike = selectedAlike(graph, known);
  return (destination, read) => {
    const rules = read.get(plans, destination.key)?.rules ?? [];
    if (rules.length === 0) return [];
    const others = sharingPods(destination, read.get(alike, destination.key) ?? NO_GROUPS);
    const unseen = isUnseen(destination);
    if (others.length === 0 && !unseen && rulesAmiss(rules)(destination.ports).length === 0) return [];
    const target = { kind: 'Destination', key: destination.key } as const;
    const reporting: Diagnostic[] = [];
    for (const rule of rules) {
      const closed = closedPorts(destination, rule);
      const unknown = unknownPorts(destination.ports, rule);
      for (const policy of rule.from) {
        if (others.length > 0)
          reporting.push({ policy, target, state: 'ACCEPTED', reports: [sharedPods(destination, others)] });
        if (unseen)
          reporting.push({ policy, target, state: 'ACCEPTED', reports: [onlyUdp(destination)], infoUnlessNamed: true });
        if (closed.length > 0)
          reporting.push({ policy, target, state: 'DEGRADED', reports: [requestsOnTcp(destination, closed)] });
        if (unknown.length > 0) {
          // A policy for many Services names the ports of all of them.
          const reports = [portsOfNoPod(destination, unknown)];
          reporting.push({ policy, target, state: 'DEGRADED', reports, infoUnlessNamed: true });
        }
      }
    }
    return reporting;
  };
}

/** Rules apply to pods, so they also apply if a Service has no ports at all. */
function isUnseen({ ports }: KnownDestination): boolean {
  return ports.length > 0 && !hasTcpPort(ports);
}

function onlyUdp({ name, namespace, cluster }: KnownDestination): Report {
  return {
    code: 'NO_HTTP_PORT',
    severity: 'warning',
    field: 'spec.destinationSelector',
    message: `Service ${namespace}/${name} of cluster ${cluster} has only UDP ports, which proxies do not handle: the policy neither allows nor denies anything; use a NetworkPolicy`,
  };
}

/** The rules that have a problem with these ports; computed once for all Services with these rules and ports. */
const rulesAmiss = memoizeUntilCompaction((rules: readonly AccessRuleView[]) =>
  memoizeFew((ports: readonly PortView[]) =>
    rules.filter((rule) => closedTo(rule)(ports).length + unknownPorts(ports, rule).length > 0),
  ),
);

/**
 * For each Service, itself included, the Services that select pods by one of its labels in its namespace.
 * Most Services share no label and have no entry here. Each lookup has its own key, so Services that share no label
 * cost nothing.
 */
function selectedAlike(graph: Graph, known: Destinations['known']): Collection<Group<Group<KnownDestination>>> {
  const { made: byLabel } = graph.gather(
    'resolve/destinations-by-selector',
    [known],
    (destination): ReadonlyArray<readonly [Key, KnownDestination]> => {
      const { cluster, namespace, workloadSelector } = destination;
      return Object.entries(workloadSelector).map((label) => [key(cluster, namespace, ...label), destination]);
    },
    (services) => (services.length > 1 ? services : undefined),
  );
  return graph.group('resolve/destinations-sharing-labels', byLabel, (services) =>
    services.map((one): readonly [Key, Group<KnownDestination>] => [one.key, services]),
  );
}

const NO_GROUPS: readonly never[] = [];

/** Names of other Services with the same pods. */
function sharingPods(destination: KnownDestination, alike: Group<Group<KnownDestination>>): string[] {
  if (alike.length === 0) return [];
  const sharing = new Map(alike.flat().map((other) => [other.key, other]));
  sharing.delete(destination.key);
  return [...sharing.values()].filter((other) => surelyShare(destination, other)).map(({ name }) => name);
}

/** One selector requires everything that the other requires, so every pod of the one is a pod of the other. */
function surelyShare(a: KnownDestination, b: KnownDestination): boolean {
  return requiresAllLabelsOf(a, b) || requiresAllLabelsOf(b, a);
}

function requiresAllLabelsOf(narrow: KnownDestination, wide: KnownDestination): boolean {
  return hasAll(narrow.workloadSelector, wide.workloadSelector);
}

function sharedPods({ name, namespace, cluster }: KnownDestination, others: readonly string[]): Report {
  return {
    code: 'SHARED_WORKLOADS',
    severity: 'info',
    field: 'spec.destinationSelector',
    message: `Service ${namespace}/${name} of cluster ${cluster} shares pods with ${[...others].sort().join(', ')}; access is decided at the pod, so the policy applies to requests to those Services, too`,
  };
}

const NO_HTTP_PORT: ReadonlySet<PortView['protocol']> = new Set(['TCP', 'TLS', 'HTTPS', 'MONGO', 'MYSQL', 'REDIS']);

/** Ports on which a rule about requests finds no requests; computed once for all Services with these ports. */
function closedPorts({ ports }: KnownDestination, rule: AccessRuleView): readonly PortView[] {
  return closedTo(rule)(ports);
}

const closedTo = memoizeUntilCompaction((rule: AccessRuleView) =>
  memoizeFew((ports: readonly PortView[]) => portsClosedTo(rule, ports)),
);

function portsClosedTo(rule: AccessRuleView, ports: readonly PortView[]): readonly PortView[] {
  if (!readsRequests(rule)) return [];
  return ports.filter((port) => NO_HTTP_PORT.has(port.protocol) && appliesToPort(rule, port.targetPort ?? port.number));
}

function requestsOnTcp({ name, namespace, cluster }: KnownDestination, ports: readonly PortView[]): Report {
  const named = ports.map((port) => port.number).join(', ');
  return {
    code: 'NO_HTTP_PORT',
    severity: 'warning',
    field: 'spec.allowedPorts',
    message: `the policy has paths or methods, which proxies cannot read on the ports ${named} of Service ${namespace}/${name} of cluster ${cluster}: there an allow rule allows nothing, and a deny rule denies every request; limit it to HTTP ports with spec.allowedPorts`,
  };
}

/**
 * The ports of a rule, if none of them is a port of the pods. Empty if that is not certain: a named port may have any
 * number.
 */
function unknownPorts(ports: readonly PortView[], rule: AccessRuleView): readonly number[] {
  if (rule.ports.length === 0) return rule.ports;
  const known = ports.map(({ targetPort }) => targetPort);
  const sure = known.every((port) => port !== undefined);
  return sure && !rule.ports.some((port) => known.includes(port)) ? rule.ports : [];
}

function portsOfNoPod({ name, namespace, cluster, ports }: KnownDestination, unknown: readonly number[]): Report {
  const there = [...new Set(ports.flatMap(({ targetPort }) => targetPort ?? []))].sort((a, b) => a - b);
  return {
    code: 'UNKNOWN_PORT',
    severity: 'warning',
    field: 'spec.allowedPorts',
    message: `no port of Service ${namespace}/${name} of cluster ${cluster} leads to ${unknown.join(', ')}, so the rule matches no request; its pods receive requests on ${there.join(', ')}`,
  };
}
