/**
 * Istio's Bookinfo in two clusters, with its names, accounts and ports. Its images come from a registry, so one small
 * program plays every service. The page, the details and a gateway are in the first cluster; reviews and ratings in both.
 */
import { readFileSync } from 'node:fs';
import { PROXY_IMAGE } from '../../lab/proxy-image.ts';
import { ISTIO_NAMESPACE, TRUST_DOMAIN } from '../names.ts';
import type { ProxySources } from './proxy.ts';
import { type ProxiedPod, proxyArguments } from './proxy.ts';

export const BOOKINFO = 'bookinfo';
export const PORT = 9080;
/** Where the story talks to the application, past the sidecar. */
export const CONTROL_PORT = 9081;

/** Istio's ports of a sidecar. */
const OUTBOUND_PORT = 15_001;
const INBOUND_PORT = 15_006;
const GATEWAY_PORT = 15_443;
const ADMIN_PORT = 15_000;
const OUTBOUND = '192.0.2.1';
const TLS_LABELS = { 'security.istio.io/tlsMode': 'istio' };
const PROGRAM = 'application.mts';

interface Application {
  readonly name: string;
  readonly version: string;
  readonly calls?: readonly string[];
}

export interface Place {
  readonly cluster: string;
  readonly region: string;
  /** Whether the page and the details are here, too. */
  readonly isFirst: boolean;
}

/** @param image one with Node */
export function bookinfo(place: Place, image: string, sources: ProxySources): readonly object[] {
  const applications: readonly Application[] = [
    ...(place.isFirst
      ? [
          { name: 'productpage', version: 'v1', calls: ['details', 'reviews'] },
          { name: 'details', version: 'v1' },
        ]
      : []),
    { name: 'reviews', version: place.isFirst ? 'v1' : 'v2', calls: ['ratings'] },
    { name: 'ratings', version: 'v1' },
  ];
  const text = readFileSync(new URL('application.ts', import.meta.url), 'utf8');
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: BOOKINFO, labels: { 'istio-injection': 'enabled' } } },
    configMap(text),
    ...applications.flatMap((one) => application(one, place, image, sources)),
    ...gateway(place, sources),
  ];
}

/** The Deployments with their namespaces. */
export function deploymentsOf({ isFirst }: Place): readonly (readonly [namespace: string, name: string])[] {
  const names = isFirst ? ['productpage-v1', 'details-v1', 'reviews-v1', 'ratings-v1'] : ['reviews-v2', 'ratings-v1'];
  return [[ISTIO_NAMESPACE, GATEWAY], ...names.map((name) => [BOOKINFO, name] as const)];
}

function configMap(text: string): object {
  const metadata = { name: 'application', namespace: BOOKINFO };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [PROGRAM]: text } };
}

function application(
  { name, version, calls = [] }: Application,
  place: Place,
  image: string,
  sources: ProxySources,
): readonly object[] {
  const namespace = BOOKINFO;
  const serviceAccountName = `bookinfo-${name}`;
  const selector = { app: name, version };
  const labels = { ...selector, ...TLS_LABELS };
  const env = { NAME: `${name}-${version}`, CLUSTER: place.cluster, CALLS: calls.join(',') };
  const container = {
    name,
    image,
    command: ['node', `/application/${PROGRAM}`],
    env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
    ports: [{ containerPort: PORT }],
    readinessProbe: { ...probe(CONTROL_PORT), failureThreshold: 1 },
    volumeMounts: [{ name: 'application', mountPath: '/application', readOnly: true }],
  };
  const pod: ProxiedPod = { ...podOf(place, { name, namespace, labels, account: serviceAccountName }), gateway: false };
  const spec = {
    serviceAccountName,
    terminationGracePeriodSeconds: 1,
    initContainers: [redirection()],
    containers: [container, { ...proxy(pod, sources), readinessProbe: probe(ADMIN_PORT) }],
    volumes: [{ name: 'application', configMap: { name: 'application' } }],
  };
  const metadata = { name: `${name}-${version}`, namespace, labels: selector };
  const template = { metadata: { labels }, spec };
  const ports = [{ name: 'http', port: PORT }];
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: serviceAccountName, namespace } },
    service({ name, namespace, labels: { app: name, service: name } }, { selector: { app: name }, ports }),
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { selector: { matchLabels: selector }, template } },
  ];
}

const GATEWAY = 'istio-ingressgateway';

/** Where requests of other clusters arrive. */
function gateway(place: Place, sources: ProxySources): readonly object[] {
  const [name, namespace] = [GATEWAY, ISTIO_NAMESPACE];
  const labels = { app: name, istio: 'ingressgateway' };
  const pod: ProxiedPod = { ...podOf(place, { name, namespace, labels, account: name }), gateway: true };
  const spec = { serviceAccountName: name, terminationGracePeriodSeconds: 1, containers: [proxy(pod, sources)] };
  const metadata = { name, namespace, labels };
  const ports = [{ name: 'tls', port: GATEWAY_PORT }];
  const template = { metadata: { labels }, spec };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    service(metadata, { type: 'LoadBalancer', selector: labels, ports }),
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { selector: { matchLabels: labels }, template } },
  ];
}

function service(metadata: object, spec: object): object {
  return { apiVersion: 'v1', kind: 'Service', metadata, spec };
}

function podOf(
  { cluster, region }: Place,
  pod: Pick<ProxiedPod, 'name' | 'namespace' | 'labels' | 'account'>,
): Omit<ProxiedPod, 'gateway'> {
  return { ...pod, cluster, locality: { region }, trustDomain: TRUST_DOMAIN };
}

/** As Istio's injector adds it: connections of the application and to it go through the sidecar. */
function redirection(): object {
  const inbound = `inbound=$(POD_IP):${PORT}>${INBOUND_PORT}`;
  return {
    name: 'istio-init',
    image: PROXY_IMAGE,
    command: ['/bin/redirect', `address=${OUTBOUND}`, `outbound=${OUTBOUND}>${OUTBOUND_PORT}`, inbound],
    env: [POD_IP],
    securityContext: { runAsUser: 0, capabilities: { add: ['NET_ADMIN'] } },
  };
}

const POD_IP = { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } };
const POD_NAME = { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } };

/** Meshrelay finds sidecars by this name. */
function proxy(pod: ProxiedPod, sources: ProxySources): object {
  return {
    name: 'istio-proxy',
    image: PROXY_IMAGE,
    command: ['/bin/envoy'],
    args: proxyArguments(pod, sources, ADMIN_PORT),
    env: [POD_IP, POD_NAME],
  };
}

/** Its timeout is long, since a busy machine answers late. */
function probe(port: number): object {
  return { httpGet: { path: '/ready', port }, periodSeconds: 1, timeoutSeconds: 20 };
}
