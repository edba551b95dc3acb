/** The objects of a cluster whose workloads have Envoys, as a user would write them. */
import { stringify } from 'yaml';

/** A Deployment with its ServiceAccount, and its Services. */
export interface App {
  readonly name: string;
  /** Distinguishes it from others of the same Service; `v1` when omitted. */
  readonly version?: string;
  /** The ServiceAccount; the name when omitted. */
  readonly account?: string;
  readonly http?: number;
  readonly grpc?: number;
}

/** A gateway with the address of its load balancer. */
export interface Edge {
  readonly name: string;
  readonly address: string;
}

export const ROLE = 'mesh.meshrelay.dev/envoy';
export const SHOP = 'shop';
export const GATEWAYS = 'gateways';
const GATEWAY_PORT = 15443;

/** As YAML. */
export function manifests(apps: readonly App[], edges: readonly Edge[]): string {
  const objects = [
    ...[SHOP, GATEWAYS].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    ...apps.flatMap(deployed),
    ...new Map(
      apps
        .filter(({ http, grpc }) => http !== undefined || grpc !== undefined)
        .map((app) => [app.name, serviceOf(app)]),
    ).values(),
    ...edges.flatMap(edgeObjects),
  ];
  return objects.map((object) => stringify(object)).join('---\n');
}

function deployed({ name, version = 'v1', account = name }: App): object[] {
  return [
    serviceAccount(account, SHOP),
    deployment(`${name}-${version}`, SHOP, { account, labels: { app: name, version, [ROLE]: 'sidecar' } }),
  ];
}

function serviceOf({ name, http, grpc }: App): object {
  const ports = [
    ...(http === undefined ? [] : [{ name: 'http', port: http, targetPort: http }]),
    ...(grpc === undefined ? [] : [{ name: 'grpc', port: grpc, targetPort: grpc }]),
  ];
  const metadata = { name, namespace: SHOP, labels: { app: name } };
  return { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: { app: name }, ports } };
}

function edgeObjects({ name, address }: Edge): object[] {
  const labels = { app: name, [ROLE]: 'gateway' };
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: GATEWAYS, labels: { [ROLE]: 'gateway' } },
    spec: {
      type: 'LoadBalancer',
      loadBalancerIP: address,
      selector: labels,
      ports: [{ name: 'tls', port: GATEWAY_PORT, targetPort: GATEWAY_PORT }],
    },
  };
  return [serviceAccount(name, GATEWAYS), deployment(name, GATEWAYS, { account: name, labels }), service];
}

function serviceAccount(name: string, namespace: string): object {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } };
}

function deployment(
  name: string,
  namespace: string,
  { account, labels }: { readonly account: string; readonly labels: Readonly<Record<string, string>> },
): object {
  const containers = ['application', 'envoy'].map((each) => ({ name: each, image: `registry.example/${each}:1` }));
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { serviceAccountName: account, containers } },
    },
  };
}
