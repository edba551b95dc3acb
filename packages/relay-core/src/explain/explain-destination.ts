/**
 * The configuration of a destination: routes, connections, access, federation, and what policies requested without
 * effect.
 */
import type { PolicyRef } from '@meshrelay/api';
import { type DestinationView, type FederatedDestinationView, type Key, key } from '@meshrelay/plugin';
import type { ControlPlane } from '../control-plane.ts';
import { targetRef } from '../resolve/mod.ts';
import { unappliedNames } from '../status/mod.ts';
import { policyKey } from '../store/fleet-state.ts';
import { DESTINATION_STAGE, FEDERATED_DESTINATION_STAGE } from '../translate/mod.ts';
import type {
  DestinationExplanation,
  DestinationFromMesh,
  MeshLocation,
  NameHolder,
  NotApplied,
  PolicyOnTarget,
} from './document.ts';
import { patchesWhere } from './explain-patches.ts';
import { backendOf, virtualPoliciesOn } from './explain-virtual.ts';
import { meshPlace, outputsWhere } from './places.ts';
import { policyOn } from './policy-on-target.ts';
import { viewParts } from './view-parts.ts';

/** Undefined for an unknown destination. */
export function explainDestination(plane: ControlPlane, destination: Key): DestinationExplanation | undefined {
  const { resolved, fleetState } = plane;
  const known = resolved.destinations.known.get(destination);
  if (known === undefined) return undefined;
  const exported = resolved.federation.exported.get(destination);
  const address = exported === undefined ? undefined : fleetState.ledgerVips.get(key(exported.hostname))?.address;
  const refs = policiesOn(plane, destination);
  const reported = refs.map((policy) => ({ policy, ...policyOn(plane, policy, destination) }));
  return {
    about: 'destination',
    destination: targetRef({ kind: 'Destination', key: destination }),
    hostname: known.hostname,
    ports: known.ports,
    serviceAccounts: known.serviceAccounts,
    ...(known.mesh === undefined ? {} : { mesh: meshPlace(known.mesh) }),
    policies: reported.map(({ policy, state }): PolicyOnTarget => {
      const sequence = fleetState.ledgerPolicies.get(policyKey(policy))?.sequence;
      return { policy, state, ...(sequence === undefined ? {} : { sequence }) };
    }),
    visibleTo: visibleTo(plane, destination),
    ...(exported === undefined
      ? {}
      : {
          federation: {
            hostname: exported.hostname,
            virtualMesh: exported.ref,
            ...(address === undefined ? {} : { address }),
            ...knownTo(plane, destination),
          },
        }),
    virtualDestinations: backendOf(plane, destination),
    patches: patchesWhere(plane, ({ target }) => target.key === destination),
    notApplied: [
      ...reported.flatMap(({ policy, state, reports }) =>
        reports.map((report): NotApplied => ({ policy, state, report })),
      ),
      ...inTheWay(plane, destination),
    ],
    outputs: outputsWhere(plane, ({ targets }) => targets.includes(destination)),
  };
}

/**
 * The policies that select it, in order of precedence, the virtual mesh that federates it, and the virtual destinations
 * with it as a backend.
 */
function policiesOn(plane: ControlPlane, destination: Key): PolicyRef[] {
  const { resolved } = plane;
  const { trafficPolicies, accessPolicies } = resolved.policies;
  const exported = resolved.federation.exported.get(destination);
  return [
    ...(trafficPolicies.get(destination) ?? []).map(({ ref }) => ref),
    ...(accessPolicies.get(destination) ?? []).map(({ ref }) => ref),
    ...(exported === undefined ? [] : [exported.ref]),
    ...virtualPoliciesOn(plane, destination),
  ];
}

/** The meshes of other clusters that have its name, and those that should have it and do not. */
export function knownTo(
  { resolved, origins }: Pick<ControlPlane, 'resolved' | 'origins'>,
  destination: Key,
  notApplied: ReadonlySet<Key> = namesNotApplied(origins),
): Pick<NonNullable<DestinationExplanation['federation']>, 'consumers' | 'notFederatedTo' | 'unavailableTo'> {
  const consumers: NameHolder[] = [];
  const notFederatedTo: MeshLocation[] = [];
  const unreachable: MeshLocation[] = [];
  for (const [id, { consumer, supported }] of resolved.federation.byDestination.entriesOf(destination)) {
    const mesh = resolved.meshes.get(consumer);
    const address = supported ? resolved.endpointsViews.get(id)?.address : undefined;
    if (mesh === undefined) continue;
    if (address === undefined) unreachable.push(meshPlace(mesh));
    else if (notApplied.has(id)) notFederatedTo.push(meshPlace(mesh));
    else consumers.push({ ...meshPlace(mesh), address });
  }
  return { consumers, ...(notFederatedTo.length === 0 ? {} : { notFederatedTo }), unavailableTo: unreachable };
}

/** The keys in `federated` of names that meshes do not get. Objects that are not applied are rare. */
export function namesNotApplied({ rejected, contributions }: ControlPlane['origins']): ReadonlySet<Key> {
  return new Set(
    [...rejected.entries()].flatMap(([id, lost]) => unappliedNames(lost, contributions.get(id)).map(([name]) => name)),
  );
}

/** Why other meshes cannot use it: reports to the virtual mesh about the destination's own mesh. */
function inTheWay(plane: ControlPlane, destination: Key): NotApplied[] {
  const exported = plane.resolved.federation.exported.get(destination);
  if (exported === undefined) return [];
  const { consumers, notFederatedTo = [] } = knownTo(plane, destination);
  if (consumers.length + notFederatedTo.length > 0) return [];
  return plane
    .diagnosticsFor(policyKey(exported.ref))
    .filter(({ target }) => target.kind === 'Mesh' && target.key === exported.home)
    .flatMap(({ state, reports }) =>
      reports
        .filter(({ severity }) => severity !== 'info')
        .map((report): NotApplied => ({ policy: exported.ref, state, report })),
    );
}

/** The destination's own mesh first, then those it is federated to: each as far as that mesh supports it. */
export function visibleTo({ resolved, plugins }: ControlPlane, destination: Key): DestinationFromMesh[] {
  const own = resolved.destinationViews.get(destination);
  const loaded = (type: string) => plugins.find(({ plugin }) => plugin.name === type);
  const seen: DestinationFromMesh[] = [];
  const home = own === undefined ? undefined : loaded(own.destination.mesh.type);
  const supported = own === undefined || home === undefined ? undefined : DESTINATION_STAGE.strip(own, home).view;
  if (supported !== undefined) seen.push(seenView(supported));
  for (const [, { consumer }] of resolved.federation.byDestination.entriesOf(destination)) {
    const view = resolved.federatedDestinationViews.get(key(destination, consumer));
    const plugin = view === undefined ? undefined : loaded(view.consumer.type);
    const reach =
      view === undefined || plugin === undefined ? undefined : FEDERATED_DESTINATION_STAGE.strip(view, plugin).view;
    if (reach !== undefined) seen.push({ consumer: meshPlace(reach.consumer), ...seenView(reach) });
  }
  return seen;
}

function seenView(view: DestinationView | FederatedDestinationView): Omit<DestinationFromMesh, 'consumer'> {
  return {
    routes: view.routes.map(({ match, port, actions, from }) => ({
      match,
      port,
      from,
      actions: viewParts({ actions }).map(({ field, value, from: by }) => ({ field, value, from: by })),
    })),
    connection: viewParts({ connection: view.connection }).map(({ field, value, from }) => ({ field, value, from })),
    access: 'access' in view ? view.access : [],
    subsets: view.subsets,
  };
}
