/**
 * ACK status of extensions, as the Envoys of this replica report it. Per workload: the number of Envoys that have not
 * accepted them yet and the number that reject them.
 */
import { MAX_LAGGING_WORKLOADS, type XdsAckStatus, type XdsLaggingWorkload } from '@meshrelay/api';
import type { ProxyState } from '@meshrelay/envoy-api/server';
import type { DataPlane } from '../data-plane.ts';

/** Status recorded for one object. */
export type ExtensionAckStatus = Omit<XdsAckStatus, 'observedGeneration' | 'observedTime'>;

/** State of an Envoy for an object's extensions, from best to worst. */
const ACK_STATES = ['taken', 'pending', 'failed'] as const;
type AckState = (typeof ACK_STATES)[number];

/** By the names of the objects that contain extensions. Extensions that no connected Envoy must run are left out. */
export function extensionAckStatus({
  proxies,
  extensions,
}: Pick<DataPlane, 'proxies' | 'extensions'>): ReadonlyMap<string, ExtensionAckStatus> {
  const found = new Map<string, Counting>();
  for (const proxy of proxies.states()) {
    if (proxy.requested.length === 0) continue;
    for (const [object, ackState] of ackStates(proxy, extensions)) {
      const counting = found.get(object) ?? new Counting();
      found.set(object, counting);
      counting.add(proxy, ackState);
    }
  }
  return new Map([...found].map(([object, counting]) => [object, counting.result]));
}

/** State of one Envoy by object: the worst of its extensions there. */
function ackStates(proxy: ProxyState, extensions: DataPlane['extensions']): ReadonlyMap<string, AckState> {
  const refused = new Set(
    proxy.rejections.flatMap(({ type, versions }) => (type === 'extensionConfig' ? [...versions.keys()] : [])),
  );
  const worst = new Map<string, AckState>();
  for (const name of proxy.requested) {
    const state = extensions.state(name);
    const [object] = extensions.objectsOf(name);
    // Skips extensions that are not Wasm modules or are not in any object yet.
    if (state === undefined || object === undefined) continue;
    const ackState: AckState =
      refused.has(name) || state.reason !== undefined
        ? 'failed'
        : state.version !== undefined && proxy.extensions.get(name) === state.version
          ? 'taken'
          : 'pending';
    const before = worst.get(object) ?? 'taken';
    worst.set(object, ACK_STATES.indexOf(ackState) > ACK_STATES.indexOf(before) ? ackState : before);
  }
  return worst;
}

class Counting {
  readonly #workloads = new Map<string, { namespace: string; name: string; pending: number; failed: number }>();
  #proxies = 0;

  add({ namespace, workload, serviceAccount }: ProxyState, ackState: AckState): void {
    this.#proxies += 1;
    if (ackState === 'taken') return;
    const name = workload ?? serviceAccount;
    const id = `${namespace}/${name}`;
    const counted = this.#workloads.get(id) ?? { namespace, name, pending: 0, failed: 0 };
    this.#workloads.set(id, counted);
    counted[ackState] += 1;
  }

  get result(): ExtensionAckStatus {
    const all = [...this.#workloads.values()].sort(inOrder);
    const sum = (of: 'pending' | 'failed'): number => all.reduce((total, one) => total + one[of], 0);
    return {
      proxies: this.#proxies,
      pending: sum('pending'),
      failed: sum('failed'),
      workloads: all.slice(0, MAX_LAGGING_WORKLOADS),
    };
  }
}

function inOrder(a: XdsLaggingWorkload, b: XdsLaggingWorkload): number {
  const failing = Number(b.failed > 0) - Number(a.failed > 0);
  if (failing !== 0) return failing;
  return `${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1;
}
