/** The pods of destinations in meshes whose proxies are configured completely. */
import type { Collection, LocalEndpointsView, Read } from '@meshrelay/plugin';
import type { Graph } from '../../graph/collection.ts';
import { type FleetState, SETTINGS_KEY } from '../../store/fleet-state.ts';
import { podEndpoints } from '../federation/mod.ts';
import { destinationFacts, type KnownDestination } from '../inventory/mod.ts';
import type { Plans, RouteSets } from '../plans/mod.ts';
import type { ResolveContext } from '../resolve-context.ts';
import { connectionView, visibleFields, withoutPolicies } from '../traffic/mod.ts';
import type { ConfiguredMeshes } from '../virtual-meshes/mod.ts';

/** By destination key; only for meshes whose proxies are configured completely. */
export function localEndpointsViews(
  graph: Graph,
  { destinations: found, tlsModeByDefault }: Pick<FleetState, 'destinations' | 'tlsModeByDefault'>,
  { destinations, configured }: Pick<ResolveContext, 'destinations'> & { readonly configured: ConfiguredMeshes },
  { traffic }: Pick<Plans, 'traffic'>,
  { local }: Pick<RouteSets, 'local'>,
): Collection<LocalEndpointsView> {
  const isBypassed = (read: Read, { key: id, cluster }: KnownDestination): boolean => {
    const byDefault = read.get(tlsModeByDefault, SETTINGS_KEY);
    const plan = read.get(traffic, id);
    // Few policies set it; only then does it matter which policies are not applied.
    const fields =
      plan?.connection.mtls === undefined
        ? {}
        : withoutPolicies(
            visibleFields(plan.connection, cluster, plan.clusterScopes),
            read.get(local, id)?.notApplied ?? [],
          );
    const { mtls } = connectionView(fields, byDefault);
    return mtls !== undefined && mtls.value !== 'MUTUAL';
  };
  return graph.inline(
    'resolve/local-endpoints-views',
    destinations.known,
    (destination, read, id): LocalEndpointsView | undefined => {
      const { mesh } = destination;
      const member = mesh === undefined ? undefined : configured.of(read, mesh);
      const object = member === undefined ? undefined : read.get(found, id);
      if (mesh === undefined || member === undefined || object === undefined) return undefined;
      return {
        destination: destinationFacts(destination, mesh),
        endpoints: podEndpoints(object.value.spec.kubeService),
        bypassed: isBypassed(read, destination),
        virtualMesh: member.virtualMesh,
      };
    },
  );
}
