/**
 * Ingress gateways: the Services that a mesh's plugin, or Settings, recognise. They stay open when access is denied by
 * default. An access policy for all destinations does not apply to them: their callers have no identity that it could
 * name.
 */
import type { AccessPolicy, DestinationSelector, DiscoverySettings, KubeServiceMatcher, Report } from '@meshrelay/api';
import type { Collection, Group, Key, MeshFacts } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import { SETTINGS_KEY } from '../../store/fleet-state.ts';
import { collectDiagnostics, type Diagnostic } from '../diagnostic.ts';
import { type Destinations, type KnownDestination, matcherSelects, names, servicesOfPods } from '../inventory/mod.ts';
import type { CheckedPolicy, Policies } from '../policies/mod.ts';
import type { DefaultGateways } from './default-gateways.ts';
import { detectorOf } from './gateways.ts';

export interface IngressGateways {
  /** Their Services, by mesh key. */
  readonly ofMesh: Collection<readonly KnownDestination[]>;
  /** Under the keys of such destinations. */
  readonly known: Collection<true>;
}

export function resolveIngressGateways(
  graph: Graph,
  meshes: Collection<MeshFacts>,
  destinations: Destinations,
  rules: {
    readonly settings: Collection<DiscoverySettings>;
    readonly defaults: DefaultGateways;
  },
): IngressGateways {
  const ofMesh = graph.derive(
    'resolve/ingress-gateways',
    meshes,
    (mesh, read): readonly KnownDestination[] | undefined => {
      const detected = detectorOf(read.get(rules.settings, SETTINGS_KEY), mesh)?.gatewayWorkloadLabels;
      const found = [
        ...rules.defaults.services(read, mesh),
        ...servicesOfPods(read, destinations, mesh.cluster, detected ?? {}),
      ];
      return found.length === 0 ? undefined : [...new Map(found.map((one) => [one.key, one])).values()];
    },
  );
  const known = graph.deriveMany('resolve/ingress-destinations', ofMesh, (all, _read, mesh) =>
    // Control planes of one cluster may see the same gateways: the gateway belongs to the mesh of its pods.
    all.filter((one) => one.mesh?.key === mesh).map((one): readonly [Key, true] => [one.key, true]),
  );
  return { ofMesh, known };
}

/**
 * Whether a policy refers to the gateway by its name, a label or its namespace, and not only by selecting everything.
 */
export function means({ spec }: AccessPolicy, gateway: KnownDestination): boolean {
  const selectors: readonly DestinationSelector[] = spec.destinationSelector ?? [];
  return (
    names(selectors, gateway) ||
    selectors.some(
      ({ kubeServiceMatcher: matcher }) =>
        matcher !== undefined && hasPositiveCondition(matcher) && matcherSelects(matcher, gateway),
    )
  );
}

/** Whether the matcher requires a label or a namespace, and not only the absence of a label or some cluster. */
function hasPositiveCondition({ labels = {}, expressions = [], namespaces = [] }: KubeServiceMatcher): boolean {
  const required = expressions.filter(({ operator }) => operator === 'In' || operator === 'Exists');
  return Object.keys(labels).length + required.length + namespaces.length > 0;
}

/** Reports to policies that also select a gateway by a matcher. */
export function openGatewayDiagnostics(
  graph: Graph,
  { accessPolicies }: Policies,
  destinations: Destinations,
  ingress: IngressGateways,
): Collection<Diagnostic> {
  const swept = graph.derive('resolve/open-gateways', ingress.known, (_known, read, gatewayKey) => {
    const gateway = read.get(destinations.known, gatewayKey);
    const group: Group<CheckedPolicy<AccessPolicy>> = read.get(accessPolicies, gatewayKey) ?? [];
    const policies = gateway === undefined ? [] : group.filter(({ object }) => !means(object, gateway));
    return gateway === undefined || policies.length === 0
      ? undefined
      : { gateway, policies: policies.map(({ ref }) => ref) };
  });
  return collectDiagnostics(graph, 'resolve/open-gateway-diagnostics', swept, ({ gateway, policies }) => {
    const target = { kind: 'Destination', key: gateway.key } as const;
    const reports = [leftOpen(gateway)];
    return policies.map(
      (policy): Diagnostic => ({ policy, target, state: 'DEGRADED', reports, infoUnlessNamed: true }),
    );
  });
}

function leftOpen({ name, namespace, cluster }: KnownDestination): Report {
  return {
    code: 'GATEWAY_NOT_RESTRICTED',
    severity: 'warning',
    field: 'spec.destinationSelector',
    message: `Service ${namespace}/${name} of cluster ${cluster} is a gateway for external requests, which a policy for all destinations leaves open; select it by name, label or namespace to restrict it, too`,
  };
}
