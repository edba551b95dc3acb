/** Federation: which destinations are made known to which meshes, and by what name. */
import type { DestinationSelector, FederationMode, ObjectRef, PolicyRef } from '@meshrelay/api';
import type { Collection, Graph } from '../graph/collection.ts';
import { type Key, key } from '../graph/key.ts';
import type { MeshFacts } from '../plugin/views.ts';
import type { Destinations } from './destinations.ts';
import type { MeshGateways } from './gateways.ts';
import { destinationBuckets, selectorBuckets, selects } from './selectors.ts';
import { membersOf, type VirtualMeshes } from './virtual-meshes.ts';

/** A destination made known to one other mesh of its virtual mesh. */
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
}

export interface Federation {
  /** Under `key(destinationKey, consumerMeshKey)`. */
  readonly federated: Collection<Federated>;
  /** One of them for each destination that is made known anywhere, by destination key. */
  readonly exported: Collection<Federated>;
}

const DEFAULT_SUFFIX = 'global';

interface SelectedExport {
  readonly virtualMesh: Key;
  readonly ref: PolicyRef;
  readonly suffix: string;
  readonly destinationSelectors: readonly DestinationSelector[];
  /** Empty: every other member. */
  readonly meshes: readonly ObjectRef[];
}

export function resolveFederation(
  graph: Graph,
  inputs: {
    readonly virtualMeshes: VirtualMeshes;
    readonly meshes: Collection<MeshFacts>;
    readonly meshNames: Collection<string>;
    readonly destinations: Destinations;
    readonly gateways: Collection<MeshGateways>;
  },
): Federation {
  const { virtualMeshes, meshes, meshNames, destinations, gateways } = inputs;
  const selections = graph.deriveMany(
    'resolve/federation-selectors',
    virtualMeshes.all,
    ({ object, ref }, _read, virtualMesh) => {
      const { mode, selectors = [], hostnameSuffix: suffix = DEFAULT_SUFFIX } = object.spec.federation ?? {};
      return selectionsOf(mode, selectors).map(
        ({ destinationSelectors = [], meshes: to = [] }, position): readonly [Key, SelectedExport] => [
          key(virtualMesh, String(position)),
          { virtualMesh, ref, suffix, destinationSelectors, meshes: to },
        ],
      );
    },
  );
  const pairs = graph.match('resolve/federation-targets', selections, destinations.known, {
    wants: ({ destinationSelectors }) => selectorBuckets(destinationSelectors),
    standsIn: destinationBuckets,
    matches: ({ destinationSelectors }, destination) =>
      destination.mesh !== undefined && selects(destinationSelectors, destination),
  });
  const byEverySelection = graph.deriveMany(
    'resolve/federated-by-selection',
    pairs,
    (pair, read): Array<readonly [Key, Federated]> => {
      const selection = read.get(selections, pair.left);
      const destination = read.get(destinations.known, pair.right);
      const home = destination?.mesh;
      if (selection === undefined || destination === undefined || home === undefined) return [];
      const { virtualMesh, ref, suffix } = selection;
      if (read.get(virtualMeshes.memberships, home.key)?.virtualMesh !== virtualMesh) return [];
      if (read.get(gateways, home.key)?.destinations.includes(destination.key) === true) return [];
      const wanted = new Set(selection.meshes.map(({ name }) => name));
      return membersOf(read, virtualMeshes, meshes, virtualMesh)
        .filter(
          (consumer) =>
            consumer.cluster !== home.cluster &&
            (wanted.size === 0 || wanted.has(read.get(meshNames, consumer.key) ?? '')),
        )
        .map((consumer) => [
          key(pair.left, destination.key, consumer.key),
          {
            destination: destination.key,
            consumer: consumer.key,
            home: home.key,
            virtualMesh,
            ref,
            suffix,
            hostname: `${destination.name}.${destination.namespace}.svc.${destination.cluster}.${suffix}`,
          },
        ]);
    },
  );
  const grouped = graph.group(
    'resolve/federated-selections',
    byEverySelection,
    (one): Array<readonly [Key, Federated]> => [[key(one.destination, one.consumer), one]],
  );
  const federated = graph.derive('resolve/federated', grouped, ([first]) => first);
  const exports = graph.group(
    'resolve/exports',
    federated,
    (one): Array<readonly [Key, Federated]> => [[one.destination, one]],
  );
  return { federated, exported: graph.derive('resolve/exported', exports, ([first]) => first) };
}

interface Selection {
  readonly destinationSelectors?: readonly DestinationSelector[];
  readonly meshes?: readonly ObjectRef[];
}

function selectionsOf(mode: FederationMode | undefined, selectors: readonly Selection[]): readonly Selection[] {
  switch (mode) {
    case 'NONE':
      return [];
    case 'ALL':
      return [{}];
    default:
      return selectors;
  }
}
