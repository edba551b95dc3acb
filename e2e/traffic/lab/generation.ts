/**
 * Detects when every proxy has applied what was stored: the objects here are stored last, and proxies show their
 * generation number.
 */
import type { KubeObject } from '@meshrelay/api';
import type { EnvoyAdmin } from '@meshrelay/testing/envoy';
import type { RunningPod } from './running-pod.ts';
import { send } from './send.ts';

const NAMESPACE = 'lab';
const HOST = 'generation.lab';
const ADDRESS = '240.255.255.1';
/** Used by no other listener. */
const PORT = 15_999;
const ROUTES = `^(http\\.)?${PORT}$`;
/** While any of these is above 0, an Envoy has not yet activated new configuration, or still drains the old one. */
const UNSETTLED =
  'listener_manager\\.total_(listeners_warming|listeners_draining|filter_chains_draining)|cluster_manager\\.warming_clusters';

/** Without counters, of which an Envoy has many more. */
interface Gauges {
  readonly stats: ReadonlyArray<{ readonly value?: number }>;
}

/** A host with the number, for which sidecars and gateways respond directly. */
export function generationObjects(generation: number): KubeObject[] {
  const metadata = { name: 'generation', namespace: NAMESPACE };
  const networking = (kind: string, spec: object): KubeObject =>
    ({ apiVersion: 'networking.istio.io/v1', kind, metadata, spec }) as unknown as KubeObject;
  return [
    networking('ServiceEntry', {
      hosts: [HOST],
      addresses: [ADDRESS],
      location: 'MESH_EXTERNAL',
      resolution: 'NONE',
      ports: [{ number: PORT, name: 'http', protocol: 'HTTP' }],
    }),
    networking('Gateway', {
      servers: [{ port: { number: PORT, name: 'http-generation', protocol: 'HTTP' }, hosts: [HOST] }],
    }),
    networking('VirtualService', {
      hosts: [HOST],
      gateways: ['mesh', `${NAMESPACE}/generation`],
      http: [{ name: nameOf(generation), directResponse: { status: 204 } }],
    }),
  ];
}

/** Whether a proxy has this generation, and uses nothing of an earlier one. */
export async function hasArrived(admin: EnvoyAdmin, generation: number): Promise<boolean> {
  const query = `resource=dynamic_route_configs&name_regex=${encodeURIComponent(ROUTES)}`;
  if (!(await admin.text(`/config_dump?${query}`)).includes(`"${nameOf(generation)}"`)) return false;
  const { stats } = await admin.json<Gauges>(`/stats?format=json&type=Gauges&filter=${encodeURIComponent(UNSETTLED)}`);
  return stats.every(({ value = 0 }) => value === 0);
}

/**
 * Makes a proxy respond directly. Its worker has then noticed all connections that peers closed before: a request sent
 * on one of them would fail.
 * @throws Error with the unexpected response
 */
export async function takeTurn(pod: RunningPod): Promise<void> {
  const request = { host: HOST, port: PORT, path: '/' };
  const { status, body } = pod.plan.gateway
    ? await send({ ...request, address: pod.plan.address })
    : ((await pod.send({ ...request, address: ADDRESS }))[0] ?? { status: 0, body: 'nothing' });
  if (status !== 204) throw new Error(`${pod.plan.name} of ${pod.plan.cluster} answered ${status} ${body}, not 204`);
}

function nameOf(generation: number): string {
  return `generation-${generation}`;
}
