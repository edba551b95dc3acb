/** The endpoints of a cluster. */
import { core, create, endpoint } from '@meshrelay/envoy-api';
import type { EndpointView, LocalityView } from '@meshrelay/plugin';
import { address } from '../messages.ts';

/** An endpoint, and the port to dial. */
export interface Dialled {
  readonly endpoint: EndpointView;
  readonly port: number;
}

/** The metadata namespace in which load balancers look up subsets. */
const BALANCER = 'envoy.lb';

/** Endpoints in the given order, grouped by locality. */
export function assignment(clusterName: string, dialled: readonly Dialled[]): endpoint.ClusterLoadAssignment {
  const places = new Map<string, { readonly locality?: LocalityView; readonly dialled: Dialled[] }>();
  for (const one of dialled) {
    const { locality } = one.endpoint;
    const id = locality === undefined ? '' : JSON.stringify([locality.region, locality.zone, locality.subZone]);
    const place = places.get(id) ?? { ...(locality === undefined ? {} : { locality }), dialled: [] };
    place.dialled.push(one);
    places.set(id, place);
  }
  const ordered = [...places].sort(([a], [b]) => (a < b ? -1 : 1));
  return create(endpoint.ClusterLoadAssignmentSchema, {
    clusterName,
    endpoints: ordered.map(([, place]) => ({
      ...(place.locality === undefined ? {} : { locality: localityOf(place.locality) }),
      lbEndpoints: place.dialled.map(lbEndpoint),
    })),
  });
}

function lbEndpoint({ endpoint: { address: host, labels }, port }: Dialled): endpoint.LbEndpoint {
  return create(endpoint.LbEndpointSchema, {
    hostIdentifier: { case: 'endpoint', value: { address: address(host, port) } },
    ...(Object.keys(labels).length === 0 ? {} : { metadata: { filterMetadata: { [BALANCER]: { ...labels } } } }),
  });
}

function localityOf({ region, zone = '', subZone = '' }: LocalityView): core.Locality {
  return create(core.LocalitySchema, { region, zone, subZone });
}
