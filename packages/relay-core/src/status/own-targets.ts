/**
 * Targets of policies that select none: members of virtual meshes, and backend Services of virtual destinations.
 * Statuses list them even without a report.
 */
import { type Collection, type Key, key } from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';
import type { Diagnostic, Resolved } from '../resolve/mod.ts';

/** A member that exports destinations and has no gateway for them is pending. */
export function memberTargets(
  graph: Graph,
  { virtualMeshes, federation, virtualDestinations, gateways }: Resolved,
): Collection<Diagnostic> {
  return graph.derive('status/member-targets', virtualMeshes.memberships, ({ mesh, ref }, read): Diagnostic => {
    const target = { kind: 'Mesh', key: mesh } as const;
    if (
      read.count(federation.gatewayExportsOfMesh, mesh) +
        read.count(virtualDestinations.gatewayHostnamesOfMesh, mesh) ===
      0
    )
      return { policy: ref, target, state: 'ACCEPTED', reports: [] };
    const { reports = [], gateways: found = [] } = read.get(gateways, mesh) ?? {};
    const waits = reports.length > 0 && found.length === 0;
    return { policy: ref, target, state: waits ? 'PENDING' : 'ACCEPTED', reports };
  });
}

/** The backends of virtual destinations. */
export function virtualTargets(graph: Graph, { virtualDestinations: { plans } }: Resolved): Collection<Diagnostic> {
  return graph.deriveMany('status/virtual-targets', plans, ({ ref, members }, _read, policy) =>
    members.map(({ destination }): readonly [Key, Diagnostic] => [
      key(policy, destination),
      { policy: ref, target: { kind: 'Destination', key: destination }, state: 'ACCEPTED', reports: [] },
    ]),
  );
}
