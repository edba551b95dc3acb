/** Virtual destinations: their names in each mesh that can call them, and their backends there. */
import type { PolicyRef } from '@meshrelay/api';
import type { Key } from '@meshrelay/plugin';
import type { ControlPlane } from '../control-plane.ts';
import { consumerKey, targetRef, type VirtualPlan } from '../resolve/mod.ts';
import { comparePrecedence } from '../store/precedence.ts';
import { VIRTUAL_DESTINATION_STAGE } from '../translate/mod.ts';
import type { BackendOf, VirtualDestinationExplanation, VirtualDestinationFromMesh } from './document.ts';
import { meshPlace } from './places.ts';

/** Undefined if the policy is not a virtual destination, or is a rejected one. */
export function explainVirtual(plane: ControlPlane, policy: Key): VirtualDestinationExplanation | undefined {
  const { plans, addresses } = plane.resolved.virtualDestinations;
  const plan = plans.get(policy);
  if (plan === undefined) return undefined;
  const address = addresses.get(policy);
  return {
    hostname: plan.spec.hostname,
    port: plan.spec.port.number,
    ...(address === undefined ? {} : { address }),
    members: plan.members.map(({ destination, priority, port }) => ({
      destination: targetRef({ kind: 'Destination', key: destination }),
      priority,
      port: port.number,
    })),
    visibleTo: visibleTo(plane, policy),
  };
}

/** As far as each mesh that can call it supports it, for meshes that reach a backend. */
function visibleTo({ resolved, plugins }: ControlPlane, policy: Key): VirtualDestinationFromMesh[] {
  return resolved.virtualDestinations.consumers.effective.entriesOf(policy).flatMap(([, { consumer }]) => {
    const view = resolved.virtualDestinationViews.get(consumerKey(policy, consumer));
    const loaded = plugins.find(({ plugin }) => plugin.name === view?.consumer.type);
    const supported =
      view === undefined || loaded === undefined ? undefined : VIRTUAL_DESTINATION_STAGE.strip(view, loaded).view;
    if (supported === undefined) return [];
    return [
      {
        consumer: meshPlace(supported.consumer),
        address: supported.address,
        failover: supported.failover,
        outlierDetection: supported.outlierDetection,
        groups: supported.groups.map(({ destination, priority, local, endpoints }) => ({
          destination: targetRef({ kind: 'Destination', key: destination.key }),
          priority,
          local,
          addresses: endpoints.map((endpoint) => endpoint.address),
        })),
      },
    ];
  });
}

/** The virtual destinations with this destination as a backend. */
export function backendOf({ resolved }: ControlPlane, destination: Key): BackendOf[] {
  const { plans, consumers } = resolved.virtualDestinations;
  return plansBefore(plans.entries(), destination).map(({ key: policy, ref, spec, members }) => ({
    policy: ref,
    hostname: spec.hostname,
    priority: members.find((member) => member.destination === destination)?.priority ?? 0,
    callers: consumers.effective.entriesOf(policy).flatMap(([, { consumer }]) => {
      const mesh = resolved.meshes.get(consumer);
      return mesh === undefined ? [] : [meshPlace(mesh)];
    }),
  }));
}

/** The same as policies. */
export function virtualPoliciesOn({ resolved }: ControlPlane, destination: Key): PolicyRef[] {
  return plansBefore(resolved.virtualDestinations.plans.entries(), destination).map(({ ref }) => ref);
}

function plansBefore(plans: Iterable<readonly [Key, VirtualPlan]>, destination: Key): VirtualPlan[] {
  return [...plans]
    .map(([, plan]) => plan)
    .filter(({ members }) => members.some((member) => member.destination === destination))
    .sort(comparePrecedence);
}
