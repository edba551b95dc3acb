/** Federation: which destinations are federated to which meshes, and under which names. */
import type { DestinationSelector, PolicyRef, Report } from '@meshrelay/api';
import { type Collection, type Index, type Key, key, type MeshFacts, type Read } from '@meshrelay/plugin';
import {
  type FederationSelection,
  federationSelections,
  hostnameSuffixOf,
} from '../../fields/virtual-mesh/federation.ts';
import type { Graph } from '../../graph/collection.ts';
import { collectDiagnostics, type Diagnostic } from '../diagnostic.ts';
import type { MeshGateways } from '../gateways/mod.ts';
import {
  clusterBucket,
  type Destinations,
  type KnownDestination,
  namedBuckets,
  names,
  selects,
  selectsEverything,
} from '../inventory/mod.ts';
import { type CheckedVirtualMesh, membersOf, refKey, type VirtualMeshes } from '../virtual-meshes/mod.ts';
import { federatedHostname } from './federation-names.ts';
import { evaluateFederation, isNatural, lostInFederation } from './federation-rejections.ts';

/** A destination federated to one other mesh of its virtual mesh. */
export interface Federated {
  readonly destination: Key;
  readonly consumer: Key;
  /** The destination's own mesh. */
  readonly home: Key;
  readonly virtualMesh: Key;
  readonly ref: PolicyRef;
  /** `<service>.<namespace>.svc.<cluster>.<suffix>`. */
  readonly hostname: string;
  readonly suffix: string;
  /** True if requests go directly to the pods: networks are flat, and both meshes support it. */
  readonly direct: boolean;
  /** Whether the consumer's mesh supports such a name at all. */
  readonly supported: boolean;
}

/** A destination that is federated to some mesh. */
export interface Exported extends Federated {
  /** True if some consumer calls the pods directly. */
  readonly direct: boolean;
  /** True if some consumer goes through gateways. */
  readonly viaGateways: boolean;
}

export interface Federation {
  /** Under `key(destinationKey, consumerMeshKey)`. */
  readonly federated: Collection<Federated>;
  /** One of them for each destination that is federated anywhere, by destination key. */
  readonly exported: Collection<Exported>;
  /** The destinations federated to a mesh, by its key. */
  readonly importsOfMesh: Index<Federated>;
  /** The same by the destination's key: the meshes it is federated to. */
  readonly byDestination: Index<Federated>;
  /** `exported` by the key of the destination's own mesh. */
  readonly exportsOfMesh: Index<Exported>;
  /** Those that some consumer reaches through gateways. */
  readonly gatewayExportsOfMesh: Index<Exported>;
  /** Destinations that are selected and cannot be federated, or only in part. */
  readonly rejections: Collection<Diagnostic>;
}

/**
 * One selection of a virtual mesh: the destinations it names, in any cluster, or those it matches in one of its
 * clusters.
 */
interface SelectedExport extends FederationSelection {
  readonly virtualMesh: Key;
  /** The cluster of the matched destinations. Omitted: named destinations. */
  readonly sweeps?: string;
  readonly ref: PolicyRef;
  readonly suffix: string;
  readonly flatNetwork: boolean;
}

export function resolveFederation(
  graph: Graph,
  inputs: {
    readonly virtualMeshes: VirtualMeshes;
    readonly meshes: Collection<MeshFacts>;
    readonly meshNames: Collection<string>;
    readonly destinations: Destinations;
    readonly gateways: Collection<MeshGateways>;
    /** The management namespace: that of Mesh objects. */
    readonly namespace: string;
    /**
     * Whether meshes of a type support flat networks: their proxies call pods of other clusters and are called
     * from there.
     */
    readonly reachesPods: (meshType: string) => boolean;
    /** Whether proxies of a type call gateways of other clusters. */
    readonly reachesGateways: (meshType: string) => boolean;
  },
): Federation {
  const { virtualMeshes, meshes, meshNames, destinations, gateways, reachesPods, reachesGateways } = inputs;
  const named = graph.deriveMany('resolve/federation-names', virtualMeshes.all, (virtualMesh, _read, id) =>
    selectionsOf(virtualMesh, id).filter(([, { destinationSelectors }]) =>
      destinationSelectors.some(({ kubeServiceRefs }) => kubeServiceRefs !== undefined),
    ),
  );
  // If a virtual mesh were one item, it would be paired with the matches of every other virtual mesh.
  const swept = graph.deriveMany('resolve/federation-selectors', virtualMeshes.inClusters, ([member], read) => {
    const virtualMesh = member && read.get(virtualMeshes.all, member.virtualMesh);
    if (member === undefined || virtualMesh === undefined) return [];
    return selectionsOf(virtualMesh, member.virtualMesh)
      .filter(([, { destinationSelectors }]) => sweepsIn(destinationSelectors))
      .map(([id, one]): readonly [Key, SelectedExport] => [
        key(id, member.cluster),
        { ...one, sweeps: member.cluster },
      ]);
  });
  const selections = graph.join('resolve/federation-selections', [named, swept]);
  const pairs = graph.match('resolve/federation-targets', selections, destinations.byBucket, {
    candidateBuckets: ({ sweeps, destinationSelectors }) =>
      sweeps === undefined ? namedBuckets(destinationSelectors) : [clusterBucket(sweeps)],
    matches: ({ sweeps, destinationSelectors }, destination) =>
      names(destinationSelectors, destination)
        ? sweeps === undefined
        : sweeps !== undefined && selects(destinationSelectors, destination),
  });
  const domains = graph.index(meshes, 'resolve/meshes-by-domain', ({ clusterDomain }) => [key(clusterDomain)]);
  const evaluate = (read: Read, { destinationSelectors, virtualMesh, suffix }: SelectedExport, one: KnownDestination) =>
    evaluateFederation(one, {
      named: names(destinationSelectors, one),
      member: one.mesh !== undefined && read.get(virtualMeshes.memberships, one.mesh.key)?.virtualMesh === virtualMesh,
      gateway: one.mesh !== undefined && read.get(gateways, one.mesh.key)?.destinations.includes(one.key) === true,
      suffix,
      isDomain: (domain) => read.count(domains, key(domain)) > 0,
    });
  const rejected = graph.derive('resolve/federation-reports', pairs, (pair, read) => {
    const selection = read.get(selections, pair.left);
    const destination = read.get(destinations.known, pair.right);
    if (selection === undefined || destination === undefined) return undefined;
    const { federable, rejection } = evaluate(read, selection, destination);
    const reports = federable
      ? lostInFederation(destination, read.get(destinations.portFaults, destination.key) ?? [])
      : (rejection ?? []);
    return reports.length === 0 ? undefined : { policy: selection.ref, destination: destination.key, reports };
  });
  const { made: federated } = graph.gather(
    'resolve/federated',
    [pairs],
    (pair, read): Array<readonly [Key, Federated]> => {
      const selection = read.get(selections, pair.left);
      const destination = read.get(destinations.known, pair.right);
      const home = destination?.mesh;
      if (selection === undefined || destination === undefined || home === undefined) return [];
      if (!evaluate(read, selection, destination).federable) return [];
      const { virtualMesh, ref, suffix, flatNetwork } = selection;
      const hostname = federatedHostname(destination, suffix);
      const required = new Set(selection.meshes.map(refKey));
      return membersOf(read, virtualMeshes, meshes, virtualMesh)
        .filter(
          (consumer) =>
            consumer.cluster !== home.cluster &&
            (required.size === 0 || required.has(key(inputs.namespace, read.get(meshNames, consumer.key) ?? ''))),
        )
        .map((consumer) => {
          const direct = flatNetwork && reachesPods(consumer.type) && reachesPods(home.type);
          const one: Federated = {
            destination: destination.key,
            consumer: consumer.key,
            home: home.key,
            virtualMesh,
            ref,
            suffix,
            hostname,
            direct,
            supported: direct || reachesGateways(consumer.type),
          };
          return [key(destination.key, consumer.key), one] as const;
        });
    },
    // If several selections include it.
    ([first]) => first,
  );
  const exports = graph.group(
    'resolve/exports',
    federated,
    (one): Array<readonly [Key, Federated]> => [[one.destination, one]],
  );
  const exported = graph.derive('resolve/exported', exports, (group): Exported | undefined => {
    const [first] = group;
    if (first === undefined) return undefined;
    return { ...first, direct: group.some(({ direct }) => direct), viaGateways: group.some(({ direct }) => !direct) };
  });
  return {
    federated,
    exported,
    importsOfMesh: graph.index(federated, 'resolve/imports-of-mesh', ({ consumer }) => [consumer]),
    byDestination: graph.index(federated, 'resolve/federated-by-destination', ({ destination }) => [destination]),
    exportsOfMesh: graph.index(exported, 'resolve/exports-of-mesh', ({ home }) => [home]),
    gatewayExportsOfMesh: graph.index(exported, 'resolve/gateway-exports-of-mesh', ({ home, viaGateways }) =>
      viaGateways ? [home] : [],
    ),
    rejections: collectDiagnostics(
      graph,
      'resolve/federation-rejections',
      rejected,
      ({ policy, destination, reports }): Diagnostic[] => {
        const target = { kind: 'Destination', key: destination } as const;
        const about = (some: readonly Report[], infoUnlessNamed: boolean): Diagnostic => {
          const lost = some.some(({ severity }) => severity !== 'info');
          return { policy, target, state: lost ? 'DEGRADED' : 'ACCEPTED', reports: some, infoUnlessNamed };
        };
        const natural = reports.filter((report) => report.severity !== 'info' && isNatural(report));
        return [
          about(natural, true),
          about(
            reports.filter((report) => !natural.includes(report)),
            false,
          ),
        ];
      },
    ),
  };
}

/** The selections of a virtual mesh, each part under its own key. */
function selectionsOf({ object, ref }: CheckedVirtualMesh, virtualMesh: Key): Array<readonly [Key, SelectedExport]> {
  const { federation } = object.spec;
  const suffix = hostnameSuffixOf(federation);
  const flatNetwork = federation?.flatNetwork ?? false;
  return federationSelections(federation).map((selection, position) => [
    key(virtualMesh, String(position)),
    { virtualMesh, ref, suffix, flatNetwork, ...selection },
  ]);
}

/** Whether the selectors match any destination that they do not name. */
function sweepsIn(selectors: readonly DestinationSelector[]): boolean {
  return selectsEverything(selectors) || selectors.some(({ kubeServiceMatcher }) => kubeServiceMatcher !== undefined);
}
