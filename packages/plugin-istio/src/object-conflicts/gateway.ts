/** Gateways on one port of one proxy: of several servers for one host, Istio uses the oldest. */

import type { KubeObject, NativeObject, ObjectConflict, ObjectConflicts } from '@meshrelay/plugin';
import { type Fields, fieldsOf, labelsOf, listOf, specOf, textsOf, within } from './spec.ts';

export const gateways: ObjectConflicts = {
  indexKeys: (unmanaged) => serversOf(unmanaged).map(({ port }) => `Gateway port ${port}`),
  lookupKeys: (managed) => serversOf(managed).map(({ port }) => `Gateway port ${port}`),
  detect(managed, unmanaged): ObjectConflict | undefined {
    const [own, other] = [labelsOf(specOf(managed)['selector']), labelsOf(specOf(unmanaged)['selector'])];
    if (!within(own, other) && !within(other, own)) return undefined;
    for (const server of serversOf(managed)) {
      for (const their of serversOf(unmanaged)) {
        const host = server.hosts.find((one) => their.hosts.some((another) => overlap(one, another)));
        if (their.port !== server.port || host === undefined) continue;
        const what = `serves ${host} on port ${server.port} of the same gateway`;
        return their.mode === server.mode
          ? { effect: 'info', text: `${what}, like the generated one` }
          : {
              effect: 'notApplied',
              text: `${what} with TLS mode ${their.mode}, and Istio uses the older of two servers`,
            };
      }
    }
    return undefined;
  },
};

interface Server {
  readonly port: number;
  readonly hosts: readonly string[];
  readonly mode: string;
}

function serversOf(object: KubeObject | NativeObject): Server[] {
  return listOf(specOf(object)['servers']).flatMap((server: Fields): Server[] => {
    const { number: port } = fieldsOf(server['port']);
    if (typeof port !== 'number') return [];
    const hosts = textsOf(server['hosts']).map((host) => host.slice(host.indexOf('/') + 1));
    const { mode = 'none' } = fieldsOf(server['tls']);
    return [{ port, hosts, mode: typeof mode === 'string' ? mode : 'none' }];
  });
}

function overlap(a: string, b: string): boolean {
  return a === b || holds(a, b) || holds(b, a);
}

/** Whether a wildcard covers another host. */
function holds(wide: string, narrow: string): boolean {
  return wide === '*' || (wide.startsWith('*.') && narrow.endsWith(wide.slice(1)));
}
