/** Effects that an adversary who owns every object of one cluster must not have, with the meshes' real plugins. */
import {
  type DestinationStatus,
  decodeObject,
  isMeshrelayGroup,
  type KubeObject,
  type ObjectRef,
} from '@meshrelay/api';
import {
  CLUSTER_LABEL,
  type ControlPlane,
  canonicalJson,
  groupOf,
  type Key,
  key,
  MANAGEMENT_CLUSTER,
  partsOf,
  setObject,
  setUnreadable,
  withoutNoise,
} from '@meshrelay/relay-core';
import { changedPolicies, policiesOfOthers, type ReportedPolicies } from '@meshrelay/testing/reported-policies';
import { isTaken } from '../corruption/poison-ward.ts';
import type { Event, Placed } from '../fleets/fleet.ts';
import { RunningFleet } from '../fleets/running-fleet.ts';
import { ledgerOf } from '../fleets/state.ts';
import type { AttackedFleet } from './attacked-fleets.ts';

/**
 * The adversary changes nothing about others, except how they reach its own exported services. That holds whether it
 * arrives later or was there first.
 */
export function adversaryChangesNothing({ adversary, peace, attack, lies }: AttackedFleet): void {
  const others = peace.filter(({ cluster }) => cluster !== adversary);
  const fleet = new RunningFleet({ wholeStatuses: true });
  fleet.live(come(peace));
  const before = seenBy(fleet, adversary);
  const decided = ledgerOf(fleet.plane).map((object): Placed => ({ cluster: MANAGEMENT_CLUSTER, object }));
  attackWith(fleet, { adversary, attack, lies });
  refuse('it came later', adversary, before, seenBy(fleet, adversary));

  const other = new RunningFleet({ wholeStatuses: true });
  other.live(come([...decided, ...peace.filter(({ cluster }) => cluster === adversary)]));
  attackWith(other, { adversary, attack, lies });
  other.live(come(others));
  refuse('it was there first', adversary, before, seenBy(other, adversary));
}

export function come(placed: readonly Placed[]): Event {
  return placed.map((one) => ({ ...one, gone: false }));
}

export function attackWith(fleet: RunningFleet, { adversary, attack, lies }: Omit<AttackedFleet, 'peace'>): void {
  fleet.live(attack);
  claim(fleet.plane, adversary, lies);
  fleet.settle();
}

/** Ingests objects as the server ingests an agent's messages, without any discovery. */
function claim({ graph, fleetState }: ControlPlane, cluster: string, objects: readonly KubeObject[]): void {
  graph.commit((transaction) => {
    for (const raw of objects.filter(isTaken)) {
      if (!isMeshrelayGroup(groupOf(raw.apiVersion))) {
        setObject(transaction, fleetState, cluster, withoutNoise(raw));
        continue;
      }
      const { object, problems } = decodeObject(raw, { unknownFields: 'prune' });
      if (object !== undefined) setObject(transaction, fleetState, cluster, object);
      else setUnreadable(transaction, fleetState, cluster, raw, problems);
    }
  });
}

/** Everything that the others observe. */
interface Seen {
  readonly objects: readonly string[];
  readonly policies: ReportedPolicies;
}

function seenBy({ plane }: RunningFleet, adversary: string): Seen {
  return { objects: aboutOthers(plane, adversary), policies: policiesOfOthers(plane, adversary) };
}

function refuse(when: string, adversary: string, before: Seen, after: Seen): void {
  const [old, now] = [new Set(before.objects), new Set(after.objects)];
  const lines = [
    ...before.objects.filter((line) => !now.has(line)).map((line) => `gone: ${line}`),
    ...after.objects.filter((line) => !old.has(line)).map((line) => `new: ${line}`),
    ...changedPolicies(before.policies, after.policies, adversary),
  ];
  if (lines.length > 0)
    throw new Error(
      `an adversary changed others' objects, ${when}:\n${lines.map((line) => line.slice(0, LONG)).join('\n')}`,
    );
}

const LONG = 3000;

/** All objects for, or of, other clusters, except those for reaching the adversary's exported services. */
function aboutOthers({ desired, origins, shown }: ControlPlane, adversary: string): string[] {
  const { discovered, statuses: discoveredStatuses } = shown.activate();
  const clusterOf = (id: Key): string | undefined => discovered.get(id)?.metadata.labels?.[CLUSTER_LABEL];
  const isUnmanaged = ({ name }: ObjectRef): boolean => clusterOf(key('Mesh', name)) === adversary;
  const outputs = [...desired.entries()].filter(
    ([id, { cluster }]) => cluster !== adversary && !isReach(origins, id, adversary),
  );
  return [
    ...outputs.map(([id, { object, sourcePolicies }]) => `${id} ${canonicalJson([sourcePolicies, object])}`),
    ...[...discovered.entries(), ...discoveredStatuses.entries()]
      .filter(([id]) => clusterOf(id) !== adversary)
      .map(([id, value]) => `${id} ${canonicalJson(withoutHolders(value, isUnmanaged))}`),
  ];
}

/** Whether the adversary's own meshes have a destination's name affects only the adversary. */
function withoutHolders<T extends object>(
  status: T | DestinationStatus,
  isUnmanaged: (mesh: ObjectRef) => boolean,
): unknown {
  const { appliedFederation, ...rest } = status as DestinationStatus;
  if (appliedFederation === undefined) return status;
  const { federatedToMeshes = [], notFederatedToMeshes = [], ...known } = appliedFederation;
  return {
    ...rest,
    appliedFederation: {
      ...known,
      to: federatedToMeshes.filter((mesh) => !isUnmanaged(mesh)),
      notFederatedTo: notFederatedToMeshes.filter(({ mesh }) => !isUnmanaged(mesh)),
    },
  };
}

/** Whether all source views of an object are of the adversary's services, as others reach them. */
export function isReach({ proposals }: ControlPlane['origins'], id: Key, adversary: string): boolean {
  const views = proposals.get(id) ?? [];
  return (
    views.length > 0 &&
    views.every(({ target }) => target.kind === 'Destination' && partsOf(target.key)[0] === adversary)
  );
}
