/**
 * Objects that agents of two federated Istio clusters send, and the only part that changes: the address of the first
 * one's gateway.
 */
import { Buffer } from 'node:buffer';
import type { KubeObject } from '@meshrelay/api';
import { canonicalJson, groupOf } from '@meshrelay/relay-core';
import { hashOf, type ObjectEnvelope } from '@meshrelay/relay-protocol';

export const CLUSTERS = ['near', 'far'] as const;
export type Cluster = (typeof CLUSTERS)[number];

const DISCOVERY = 'discovery.meshrelay.dev/v1alpha1';
const MESH = { name: 'istiod', namespace: 'istio-system' };

/** Everything but the gateway. */
export function discovered(cluster: Cluster): KubeObject[] {
  return [
    {
      apiVersion: DISCOVERY,
      kind: 'Mesh',
      metadata: MESH,
      spec: {
        type: 'istio',
        cluster,
        installation: { namespace: 'istio-system', podLabels: { app: 'istiod' }, version: '1.28.0' },
        trustDomain: 'cluster.local',
        controlPlaneServiceAccount: 'istiod',
      },
    },
    service(cluster, 'reviews', 'bookinfo', { app: 'reviews' }, { port: 9080, name: 'http', protocol: 'TCP' }, {}),
  ];
}

/** The gateway, whose address `version` determines. */
export function gateway(cluster: Cluster, version: number): KubeObject {
  const address = { ip: `198.51.${cluster === 'near' ? 100 : 101}.${1 + (version % 250)}` };
  const more = { externalAddresses: [address], serviceType: 'LOAD_BALANCER' };
  const port = { port: 15443, name: 'tls', protocol: 'TCP' };
  return service(cluster, 'istio-ingressgateway', 'istio-system', { istio: 'ingressgateway' }, port, more);
}

/** Both of them, everything federated. */
export function virtualMesh(): KubeObject {
  return {
    apiVersion: 'networking.meshrelay.dev/v1alpha1',
    kind: 'VirtualMesh',
    metadata: { name: 'both', namespace: 'meshrelay' },
    spec: {
      meshes: CLUSTERS.map((cluster) => ({ name: `istiod-istio-system-${cluster}`, namespace: 'meshrelay' })),
      federation: { mode: 'ALL' },
    },
  };
}

export function envelopeOf(object: KubeObject): ObjectEnvelope {
  const { apiVersion, kind, metadata } = object;
  const body = Buffer.from(canonicalJson(object));
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const { namespace = '', name } = metadata;
  return { group: groupOf(apiVersion), version, kind, namespace, name, hash: hashOf(body), body };
}

function service(
  clusterName: string,
  name: string,
  namespace: string,
  labels: Readonly<Record<string, string>>,
  port: { readonly port: number; readonly name: string; readonly protocol: string },
  more: object,
): KubeObject {
  return {
    apiVersion: DISCOVERY,
    kind: 'Destination',
    metadata: { name, namespace },
    spec: {
      kubeService: {
        ref: { name, namespace, clusterName },
        labels,
        workloadSelectorLabels: labels,
        serviceAccounts: [name],
        ports: [{ ...port, targetPortNumber: port.port }],
        endpointSubsets: [{ endpoints: [{ ipAddress: '10.0.0.7', labels }], ports: [port] }],
        serviceType: 'CLUSTER_IP',
        ...more,
      },
      mesh: MESH,
    },
  };
}
