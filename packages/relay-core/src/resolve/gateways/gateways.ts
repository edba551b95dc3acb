/** Gateways: the Services through which a member mesh accepts requests from other clusters. */
import {
  DEFAULT_GATEWAY_PORT_NAME,
  type DiscoverySettings,
  type IngressGatewayDetector,
  type IngressGatewaySelector,
  type IstioDiscoverySettings,
  type Report,
} from '@meshrelay/api';
import type { Collection, GatewayView, Key, MeshFacts, Read } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import type { Labels } from '../../input/labels.ts';
import { SETTINGS_KEY } from '../../store/fleet-state.ts';
import {
  type Destinations,
  type KnownDestination,
  selectorBuckets,
  selects,
  selectsEverything,
  servicesOfPods,
} from '../inventory/mod.ts';
import type { Federates, VirtualMeshes } from '../virtual-meshes/mod.ts';
import type { DefaultGateways } from './default-gateways.ts';
import { gatewayOf } from './gateway-views.ts';
import { type GatewayRule, noGateway, type SimilarName } from './no-gateway.ts';

/** The gateways of a member mesh, and reports about missing ones. */
export interface MeshGateways {
  readonly gateways: readonly GatewayView[];
  /** Their destinations, which are never federated themselves. */
  readonly destinations: readonly Key[];
  readonly reports: readonly Report[];
}

/** East-west gateways of each member of a virtual mesh that can have gateways, by mesh key. */
export function resolveGateways(
  graph: Graph,
  virtualMeshes: VirtualMeshes,
  meshes: Collection<MeshFacts>,
  destinations: Destinations,
  rules: {
    readonly settings: Collection<DiscoverySettings>;
    readonly defaults: DefaultGateways;
    readonly federates: Federates;
  },
): Collection<MeshGateways> {
  return graph.derive('resolve/gateways', virtualMeshes.memberships, (membership, read): MeshGateways | undefined => {
    const mesh = read.get(meshes, membership.mesh);
    const virtualMesh = read.get(virtualMeshes.all, membership.virtualMesh)?.object;
    if (mesh === undefined || virtualMesh === undefined || !rules.federates(mesh.type)) return undefined;
    const selectors = virtualMesh.spec.federation?.eastWestIngressGatewaySelectors ?? [];
    const { candidates, near, rule } =
      selectors.length === 0
        ? unselected(read, destinations, mesh, rules)
        : bySelectors(read, destinations, mesh, selectors);
    const found = candidates.map(({ destination, portName }) =>
      gatewayOf(destination, portName, read.get(destinations.exposures, destination.key)),
    );
    return {
      gateways: found.flatMap(({ gateway }) => gateway ?? []),
      destinations: candidates.map(({ destination }) => destination.key),
      reports: candidates.length === 0 ? [noGateway(mesh, rule, near)] : found.flatMap(({ report }) => report ?? []),
    };
  });
}

interface Candidate {
  readonly destination: KnownDestination;
  readonly portName: string;
}

interface Sought {
  readonly rule: GatewayRule;
  readonly candidates: readonly Candidate[];
  readonly near: readonly SimilarName[];
}

/**
 * If the virtual mesh selects no gateways: those that Settings recognise, else those that the mesh's plugin recognises.
 */
function unselected(
  read: Read,
  destinations: Destinations,
  mesh: MeshFacts,
  { settings, defaults }: Parameters<typeof resolveGateways>[4],
): Sought {
  const own = defaults.of(mesh.type);
  const detector = detectorOf(read.get(settings, SETTINGS_KEY), mesh);
  if (detector === undefined) {
    return own === undefined
      ? { rule: { by: 'nothing' }, candidates: [], near: [] }
      : byRule({ by: 'plugin', ...own }, defaults.services(read, mesh));
  }
  const {
    gatewayWorkloadLabels: labels = own?.labels ?? {},
    gatewayTlsPortName: portName = DEFAULT_GATEWAY_PORT_NAME,
  } = detector;
  return byRule({ by: 'settings', labels, portName }, servicesOfPods(read, destinations, mesh.cluster, labels));
}

/** Services that have a port of the name are gateways; the others are reported as similar. */
function byRule(
  rule: GatewayRule & { readonly labels: Labels; readonly portName: string },
  services: readonly KnownDestination[],
): Sought {
  const { portName } = rule;
  const isCandidate = ({ ports }: KnownDestination): boolean => ports.some(({ name }) => name === portName);
  const all = services.map((destination): Candidate => ({ destination, portName }));
  return {
    rule,
    candidates: all.filter(({ destination }) => isCandidate(destination)),
    near: all.filter(({ destination }) => !isCandidate(destination)),
  };
}

/** The rule in Settings that recognises the gateways of a mesh, if there is one. */
export function detectorOf(
  settings: DiscoverySettings | undefined,
  { type, cluster }: MeshFacts,
): IngressGatewayDetector | undefined {
  const detectors = detectorsOf(settings, type);
  return detectors[cluster] ?? detectors['*'];
}

/** The detectors of a mesh type, by cluster. Settings name mesh types; core knows none of them. */
function detectorsOf(
  settings: DiscoverySettings | undefined,
  meshType: string,
): Readonly<Record<string, IngressGatewayDetector>> {
  const discovery = settings as Readonly<Record<string, IstioDiscoverySettings>> | undefined;
  return (
    (discovery !== undefined && Object.hasOwn(discovery, meshType)
      ? discovery[meshType]?.ingressGatewayDetectors
      : undefined) ?? {}
  );
}

function bySelectors(
  read: Read,
  { byBucket, known }: Destinations,
  mesh: MeshFacts,
  selectors: readonly IngressGatewaySelector[],
): Sought {
  const found = new Map<Key, Candidate>();
  const near = new Map<Key, SimilarName>();
  for (const { destinationSelectors, portName = DEFAULT_GATEWAY_PORT_NAME } of selectors) {
    for (const bucket of selectorBuckets(destinationSelectors)) {
      const named = read.get(known, bucket);
      const workspaceAccess = read.by(byBucket, bucket).map(([, destination]) => destination);
      for (const destination of named === undefined ? workspaceAccess : [named, ...workspaceAccess]) {
        const destinationKey = destination.key;
        if (destination.cluster !== mesh.cluster || !selects(destinationSelectors, destination)) continue;
        const fits = destination.ports.some(({ name }) => name === portName);
        if (!fits) near.set(destinationKey, { destination, portName });
        else if (!found.has(destinationKey)) found.set(destinationKey, { destination, portName });
      }
    }
  }
  return {
    rule: { by: 'selectors', portNames: selectors.map(({ portName = DEFAULT_GATEWAY_PORT_NAME }) => portName) },
    candidates: inOrder(found),
    near: selectsAllServices(selectors) ? [] : inOrder(near),
  };
}

/** For a selector that matches every Service, no Service counts as similar to a gateway. */
function selectsAllServices(selectors: readonly IngressGatewaySelector[]): boolean {
  return selectors.some(({ destinationSelectors }) => selectsEverything(destinationSelectors));
}

function inOrder<V>(byKey: ReadonlyMap<Key, V>): V[] {
  return [...byKey.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}
