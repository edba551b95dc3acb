/** XdsConfig objects: resources of Envoy, and the proxies that start from them. */
import type { XdsConfigSpec, XdsProxy, XdsResource } from '@meshrelay/api';
import { cluster, endpoint, listener, messageToJson, route } from '@meshrelay/envoy-api';
import { apiVersionOf, type MeshFacts, type NativeObject } from '@meshrelay/plugin';
import { XDS_CONFIG } from '../kinds.ts';

/** An object in the agent's namespace. */
export function xdsConfig(
  { namespace }: Pick<MeshFacts, 'namespace'>,
  name: string,
  { proxies = [], resources = [] }: XdsConfigSpec,
): NativeObject {
  return {
    apiVersion: apiVersionOf(XDS_CONFIG),
    kind: XDS_CONFIG.kind,
    metadata: { name, namespace },
    spec: {
      ...(proxies.length === 0 ? {} : { proxies }),
      ...(resources.length === 0 ? {} : { resources }),
    },
  };
}

export function clusterResource(message: cluster.Cluster): XdsResource {
  return { type: 'cluster', name: message.name, value: messageToJson(cluster.ClusterSchema, message) };
}

export function listenerResource(message: listener.Listener): XdsResource {
  return { type: 'listener', name: message.name, value: messageToJson(listener.ListenerSchema, message) };
}

export function assignmentResource(message: endpoint.ClusterLoadAssignment): XdsResource {
  const value = messageToJson(endpoint.ClusterLoadAssignmentSchema, message);
  return { type: 'clusterLoadAssignment', name: message.clusterName, value };
}

/**
 * A virtual host of the route configuration that all sidecars of a cluster share. It grows with the cluster, so each
 * host is a separate resource.
 */
export function hostResource(message: route.VirtualHost): XdsResource {
  const value = messageToJson(route.VirtualHostSchema, message);
  return { type: 'virtualHost', name: `${OUTBOUND_ROUTES}/${message.name}`, value };
}

/** The route configuration that sidecars use for all requests of their applications. */
export const OUTBOUND_ROUTES = 'outbound';

/** The proxies of a ServiceAccount that receive clusters which none of their routes reference. */
export function givenClusters(namespace: string, serviceAccount: string, clusters: readonly string[]): XdsProxy {
  return { namespace, serviceAccount, listeners: [], clusters };
}
