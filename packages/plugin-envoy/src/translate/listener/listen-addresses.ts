/** Addresses on which the proxies of a workload and its application listen. */
import type { Output, WorkloadView } from '@meshrelay/plugin';
import { ADDRESS_LABEL } from '../../kinds.ts';

export interface ListenAddresses {
  /** For clients outside the pod. */
  readonly everywhere: string;
  /** For the pod itself: the application connects to it, and listens on it. */
  readonly loopback: string;
}

/** For pods with networks of their own. */
export const LOOPBACK = { v4: '127.0.0.1', v6: '::1' } as const;

const V4: ListenAddresses = { everywhere: '0.0.0.0', loopback: LOOPBACK.v4 };
const V6: ListenAddresses = { everywhere: '::', loopback: LOOPBACK.v6 };
/** Only loopback addresses are allowed: on this address the sidecar accepts requests in its workload's name. */
const OWN = /^127(?:\.(?:0|[1-9]\d{0,2})){3}$/;

/** Each pod has its own network, unless its label specifies its loopback address. */
export function listenAddresses({ mesh: { ipFamilies }, podLabels }: WorkloadView): ListenAddresses {
  const own = podLabels[ADDRESS_LABEL];
  if (own !== undefined && isLoopback(own)) return { everywhere: own, loopback: own };
  return ipFamilies.length === 1 && ipFamilies[0] === 'IPV6' ? V6 : V4;
}

/** Reports an invalid address label. */
export function reportAddress({ podLabels, virtualMesh, kind, namespace, name }: WorkloadView, out: Output): void {
  const own = podLabels[ADDRESS_LABEL];
  if (own === undefined || isLoopback(own)) return;
  out.report(virtualMesh, {
    code: 'UNSUPPORTED',
    severity: 'warning',
    message: `label ${ADDRESS_LABEL}=${own} of ${kind} ${namespace}/${name} is left out: expected an address of 127.0.0.0/8; its Envoys listen on every address of the pod`,
  });
}

function isLoopback(address: string): boolean {
  return OWN.test(address) && address.split('.').every((part) => Number(part) <= 255);
}
