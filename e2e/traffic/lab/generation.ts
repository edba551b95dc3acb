/** How it is known that every proxy has taken up what was stored: the objects here are stored last, and proxies show which number they bear. */
import type { KubeObject } from '@meshrelay/api';
import type { EnvoyAdmin } from '@meshrelay/testing/envoy';
import type { RunningPod } from './running-pod.ts';
import { send } from './send.ts';

const NAMESPACE = 'lab';
const HOST = 'generation.lab';
const ADDRESS = '240.255.255.1';
/** Nobody else's. */
const PORT = 15_999;
const ROUTES = `^(http\\.)?${PORT}$`;
/** While any of these is above 0 an Envoy has not yet begun with new configuration, or not yet ended with old. */
const UNSETTLED =
  'listener_manager\\.total_(listeners_warming|listeners_draining|filter_chains_draining)|cluster_manager\\.warming_clusters';

/** A host that sidecars and gateways answer for by themselves, with the number. */
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

/** Whether a proxy has this generation, and nothing of an earlier one is still in use. */
export async function hasArrived(admin: EnvoyAdmin, generation: number): Promise<boolean> {
  const query = `resource=dynamic_route_configs&name_regex=${encodeURIComponent(ROUTES)}`;
  if (!(await admin.text(`/config_dump?${query}`)).includes(`"${nameOf(generation)}"`)) return false;
  const unsettled = await admin.stats(UNSETTLED);
  return [...unsettled.values()].every((value) => value === 0);
}

/**
 * Has a proxy answer a request by itself. Its worker has then seen that connections ended which others had ended before: a request that it sent on one of them would fail.
 * @throws Error with what it answered instead
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
