/**
 * Statuses of discovered objects: the effective configuration of a mesh or destination, with names of the management
 * cluster.
 */
import type {
  AppliedFederation,
  AppliedPolicy,
  DestinationStatus,
  MeshStatus,
  NotFederatedToMesh,
  ObjectRef,
  PolicyRef,
  Report,
} from '@meshrelay/api';
import { MAX_APPLIED_POLICIES } from '@meshrelay/api';
import {
  type Collection,
  type DestinationView,
  type Group,
  type Key,
  key,
  type MeshFacts,
  memoize,
  partsOf,
  type Read,
} from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import type { Origins, RejectedProposal } from '../output/mod.ts';
import type { CheckedPolicy, Resolved } from '../resolve/mod.ts';
import { type AppliedVirtualDestinations, appliedVirtualDestinations } from './applied-virtual-destinations.ts';
import { unappliedNames } from './unapplied-names.ts';

/** The statuses, under the keys of the objects in their global form: `key(kind, name)`. */
export function discoveredStatuses(
  graph: Graph,
  resolved: Resolved,
  { rejected, contributions }: Pick<Origins, 'rejected' | 'contributions'>,
  {
    destinationNames,
    namespace,
  }: {
    readonly destinationNames: Collection<string>;
    /** The management namespace. */
    readonly namespace: string;
  },
): Collection<MeshStatus | DestinationStatus> {
  const virtual = appliedVirtualDestinations(graph, resolved);
  const { made: notApplied } = graph.gather<readonly RejectedProposal[], Report, Report>(
    'status/unapplied-names',
    [rejected],
    (lost, read, at) => unappliedNames(lost, read.get(contributions, at)),
    // One reason is enough to act on.
    ([first]) => first,
  );
  const notAppliedByDestination = graph.index(notApplied, 'status/unapplied-names-by-destination', (_report, name) =>
    partsOf(name).slice(0, 1),
  );
  const named = (read: Read, names: Collection<string>, of: Key): ObjectRef | undefined => {
    const name = read.get(names, of);
    return name === undefined ? undefined : { name, namespace };
  };
  const meshStatus = (read: Read, meshKey: Key): Array<readonly [Key, MeshStatus]> => {
    const name = read.get(resolved.meshNames, meshKey);
    const membership = read.get(resolved.virtualMeshes.memberships, meshKey);
    if (name === undefined || membership === undefined) return [];
    const generation = read.get(resolved.virtualMeshes.all, membership.virtualMesh)?.object.metadata.generation ?? 0;
    const found = read.get(resolved.gateways, meshKey)?.gateways ?? [];
    const [cluster = ''] = partsOf(meshKey);
    const callable = read.get(virtual.ofMesh, meshKey)?.virtualDestinations;
    const status: MeshStatus = {
      appliedVirtualMesh: {
        ref: { name: membership.ref.name, namespace: membership.ref.namespace },
        observedGeneration: generation,
      },
      appliedEastWestIngressGateways: found.flatMap((gateway) => {
        const destinationRef = named(read, destinationNames, key(cluster, gateway.namespace, gateway.name));
        const [endpoint] = gateway.endpoints;
        if (destinationRef === undefined || endpoint === undefined) return [];
        const externalAddresses = gateway.endpoints.map(({ address }) => address);
        return [
          {
            destinationRef,
            externalAddresses,
            destinationPort: endpoint.ports,
            containerPort: gateway.containerPort,
          },
        ];
      }),
      ...(callable === undefined ? {} : { appliedVirtualDestinations: callable }),
    };
    return [[key('Mesh', name), status]];
  };
  const destinationStatus = (
    view: DestinationView,
    read: Read,
    destinationKey: Key,
  ): Array<readonly [Key, DestinationStatus]> => {
    const name = read.get(destinationNames, destinationKey);
    if (name === undefined) return [];
    const { exported, destination, subsets } = view;
    const reasons = new Map(read.by(notAppliedByDestination, destinationKey));
    const reached = read
      .by(resolved.federation.byDestination, destinationKey)
      .filter(([, one]) => one.supported && resolved.endpoints.endpointMultiplicity(read, one) !== undefined);
    const federatedToMeshes = reached
      .filter(([name]) => !reasons.has(name))
      .flatMap(([, { consumer }]) => named(read, resolved.meshNames, consumer) ?? []);
    const notFederatedToMeshes = reached.flatMap(([name, { consumer }]): NotFederatedToMesh[] => {
      const reason = reasons.get(name);
      const mesh = named(read, resolved.meshNames, consumer);
      return reason === undefined || mesh === undefined ? [] : [{ mesh, message: reason.message }];
    });
    const status: DestinationStatus = {
      localFqdn: destination.hostname,
      ...applied('appliedTrafficPolicies', read.get(resolved.policies.trafficPolicies, destinationKey)),
      ...applied('appliedAccessPolicies', read.get(resolved.policies.accessPolicies, destinationKey)),
      ...(exported === undefined || federatedToMeshes.length + notFederatedToMeshes.length === 0
        ? {}
        : {
            appliedFederation: {
              federatedHostname: exported.hostname,
              ...first('federatedToMeshes', federatedToMeshes),
              ...first('notFederatedToMeshes', notFederatedToMeshes),
              ...(read.get(resolved.federation.exported, destinationKey)?.direct === true ? { flatNetwork: true } : {}),
              virtualMeshRef: exported.virtualMesh,
            },
          }),
      ...(subsets.length === 0
        ? {}
        : {
            requiredSubsets: subsets
              .flatMap(({ value, from }) =>
                from.map((trafficPolicyRef: PolicyRef) => ({ trafficPolicyRef, subset: value.labels })),
              )
              .slice(0, MAX_APPLIED_POLICIES),
          }),
    };
    return [[key('Destination', name), status]];
  };
  const behindStatus = (
    { virtualDestinations }: AppliedVirtualDestinations,
    read: Read,
    destinationKey: Key,
  ): Array<readonly [Key, DestinationStatus]> => {
    const name = read.get(destinationNames, destinationKey);
    const known = read.get(resolved.destinations.known, destinationKey);
    if (name === undefined || known === undefined) return [];
    const status = { localFqdn: known.hostname, appliedVirtualDestinations: virtualDestinations };
    return [[key('Destination', name), status]];
  };
  return graph.gather<MeshFacts | DestinationView | AppliedVirtualDestinations, Status, Status>(
    'status/discovered',
    [resolved.meshes, resolved.destinationViews, virtual.ofDestination],
    (of, read, at) => {
      if ('virtualDestinations' in of) return behindStatus(of, read, at);
      return 'destination' in of ? destinationStatus(of, read, at) : meshStatus(read, at);
    },
    // Names are unique, so all parts with one name describe one object.
    (parts) => (parts.length === 1 ? parts[0] : Object.assign({}, ...parts)),
  ).made;
}

type Status = MeshStatus | DestinationStatus;

type MeshesField = 'federatedToMeshes' | 'notFederatedToMeshes';

function first<F extends MeshesField>(
  field: F,
  meshes: NonNullable<AppliedFederation[F]>,
): Pick<AppliedFederation, MeshesField> {
  return meshes.length === 0 ? {} : { [field]: meshes.slice(0, MAX_APPLIED_POLICIES) };
}

type AppliedField = 'appliedTrafficPolicies' | 'appliedAccessPolicies';

function applied(
  field: AppliedField,
  policies: Group<CheckedPolicy> | undefined,
): Pick<DestinationStatus, AppliedField> {
  if (policies === undefined || policies.length === 0) return {};
  return { [field]: policies.slice(0, MAX_APPLIED_POLICIES).map(appliedPolicy) };
}

const appliedPolicy = memoize(({ ref, object }: CheckedPolicy): AppliedPolicy => {
  return { ref, observedGeneration: object.metadata.generation ?? 0 };
});
