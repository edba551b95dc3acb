/** Virtual destinations resolved: plans, consumers, meshes whose gateways admit requests for them, and diagnostics. */
import { type Collection, type Index, type Key, key, type MeshFacts } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import type { Hasher } from '../../input/canonical.ts';
import type { FleetState } from '../../store/fleet-state.ts';
import type { Federation } from '../federation/mod.ts';
import type { MeshGateways } from '../gateways/mod.ts';
import type { Destinations } from '../inventory/mod.ts';
import type { Policies } from '../policies/mod.ts';
import type { VirtualMeshes } from '../virtual-meshes/mod.ts';
import type { Authorities } from '../workspaces/mod.ts';
import { type VirtualConsumers, virtualConsumers } from './consumers.ts';
import { type VirtualPlan, virtualPlans } from './plan.ts';
import { selectedServices, virtualDestinationsAmong } from './selected.ts';

export interface VirtualDestinations {
  /** Under the keys of the policies. */
  readonly plans: Collection<VirtualPlan>;
  readonly consumers: VirtualConsumers;
  /** The plans for which the mesh's gateways admit requests from other clusters. */
  readonly gatewayHostnamesOfMesh: Index<VirtualPlan>;
  /** The plans under whose gateway hostname gateways admit requests to a destination. */
  readonly gatewayHostnamesOfDestination: Index<VirtualPlan>;
  /** Names that are effective somewhere, under `key(hostname)`. */
  readonly hostnames: Collection<string>;
  /** The virtual IP of each that is effective somewhere, under the keys of the policies. */
  readonly addresses: Collection<string>;
}

export function resolveVirtualDestinations(
  graph: Graph,
  { ledgerVips }: Pick<FleetState, 'ledgerVips'>,
  resolveContext: {
    readonly policies: Policies;
    readonly authorities: Authorities;
    readonly meshes: Collection<MeshFacts>;
    readonly destinations: Destinations;
    readonly virtualMeshes: VirtualMeshes;
    readonly gateways: Collection<MeshGateways>;
    readonly federation: Federation;
  },
  hash: Hasher,
): VirtualDestinations {
  const all = virtualDestinationsAmong(graph, resolveContext.policies.checked, resolveContext.authorities);
  const plans = virtualPlans(
    graph,
    all,
    selectedServices(graph, all, resolveContext.destinations),
    resolveContext,
    hash,
  );
  const consumers = virtualConsumers(graph, plans, resolveContext);
  const named = graph.group(
    'resolve/virtual-hostnames-used',
    consumers.all,
    ({ hostname, rejection }): Array<readonly [Key, string]> =>
      rejection === undefined ? [[key(hostname), hostname]] : [],
  );
  return {
    plans,
    consumers,
    // Independent of whether a caller's mesh accepts the name: the state of one cluster must not change another
    // cluster's gateways.
    gatewayHostnamesOfMesh: graph.index(plans, 'resolve/virtual-gateway-hostnames', (plan) =>
      plan.members.filter(({ gatewayRoute }) => gatewayRoute).map(({ home }) => home),
    ),
    gatewayHostnamesOfDestination: graph.index(plans, 'resolve/virtual-gateway-hostnames-of-destination', (plan) =>
      plan.members.filter(({ gatewayRoute }) => gatewayRoute).map(({ destination }) => destination),
    ),
    hostnames: graph.derive('resolve/virtual-hostnames', named, ([hostname]) => hostname),
    addresses: graph.derive('resolve/virtual-addresses', plans, ({ key: id, spec }, read) =>
      read.count(consumers.effective, id) === 0 ? undefined : read.get(ledgerVips, key(spec.hostname))?.address,
    ),
  };
}
