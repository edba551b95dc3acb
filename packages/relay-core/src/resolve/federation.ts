/** Federation: which destinations are made known to which meshes, and by what name. */
import type { DestinationSelector, FederationMode, ObjectRef, PolicyRef, Report } from '@meshrelay/api';
import type { Collection, Graph, Index } from '../graph/collection.ts';
import { type Key, key } from '../graph/key.ts';
import type { MeshFacts } from '../plugin/views.ts';
import type { Destinations, KnownDestination } from './destinations.ts';
import type { MeshGateways } from './gateways.ts';
import { outsideMesh } from './outside-mesh.ts';
import { names, selectorBuckets, selects } from './selectors.ts';
import { collectVerdicts, type Verdict } from './verdict.ts';
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
  /** What is made known to a mesh, by its key. */
  readonly importsOfMesh: Index<Federated>;
  /** The same by the destination's key: to whom it is made known. */
  readonly byDestination: Index<Federated>;
  /** `exported` by the key of the destination's own mesh. */
  readonly exportsOfMesh: Index<Federated>;
  /** Destinations that are selected and cannot be made known. */
  readonly refusals: Collection<Verdict>;
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
  const pairs = graph.match('resolve/federation-targets', selections, destinations.byBucket, {
    wants: ({ destinationSelectors }) => selectorBuckets(destinationSelectors),
    matches: ({ destinationSelectors }, destination) => selects(destinationSelectors, destination),
  });
  const refused = graph.derive('resolve/federation-refused', pairs, (pair, read) => {
    const selection = read.get(selections, pair.left);
    const destination = read.get(destinations.known, pair.right);
    if (selection === undefined || destination === undefined) return undefined;
    const report = refusalOf(
      destination,
      selection,
      (mesh) => read.get(virtualMeshes.memberships, mesh)?.virtualMesh,
      (mesh) => read.get(gateways, mesh)?.destinations ?? [],
    );
    return report === undefined ? undefined : { policy: selection.ref, destination: destination.key, report };
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
  const exported = graph.derive('resolve/exported', exports, ([first]) => first);
  return {
    federated,
    exported,
    importsOfMesh: graph.index(federated, 'resolve/imports-of-mesh', ({ consumer }) => [consumer]),
    byDestination: graph.index(federated, 'resolve/federated-by-destination', ({ destination }) => [destination]),
    exportsOfMesh: graph.index(exported, 'resolve/exports-of-mesh', ({ home }) => [home]),
    refusals: collectVerdicts(
      graph,
      'resolve/federation-refusals',
      refused,
      ({ policy, destination, report }): Verdict[] => [
        {
          policy,
          target: { kind: 'Destination', key: destination },
          state: 'DEGRADED',
          reports: [report],
          moot: true,
        },
      ],
    ),
  };
}

/** Why a selected destination is not made known. Of those only swept in, none but aliases are worth a word. */
function refusalOf(
  destination: KnownDestination,
  { destinationSelectors, virtualMesh }: SelectedExport,
  virtualMeshOf: (mesh: Key) => Key | undefined,
  gatewaysOf: (mesh: Key) => readonly Key[],
): Report | undefined {
  const { mesh, serviceType } = destination;
  const named = names(destinationSelectors, destination);
  if (!named && serviceType !== 'EXTERNAL_NAME') return undefined;
  if (mesh === undefined) return { ...outsideMesh(destination), field: FIELD };
  const where = `Service ${destination.namespace}/${destination.name} of cluster ${destination.cluster}`;
  if (virtualMeshOf(mesh.key) !== virtualMesh) {
    const message = `${where} belongs to the mesh ${mesh.namespace}/${mesh.name}, which is no member; add it to spec.meshes`;
    return { code: 'NOT_A_MEMBER', severity: 'warning', field: FIELD, message };
  }
  if (!gatewaysOf(mesh.key).includes(destination.key)) return undefined;
  const message = `${where} is the gateway for requests of other clusters and is not federated itself; do not select it`;
  return { code: 'IS_A_GATEWAY', severity: 'warning', field: FIELD, message };
}

const FIELD = 'spec.federation.selectors';

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
