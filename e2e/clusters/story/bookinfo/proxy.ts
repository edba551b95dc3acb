/** The Envoy of a pod, as a proxy that istiod configures. */
import type { LabPod } from '../../../traffic/lab/pod-plan.ts';
import { proxyBootstrap } from '../../../traffic/lab/proxy-bootstrap.ts';

export type ProxiedPod = Pick<
  LabPod,
  'cluster' | 'name' | 'namespace' | 'account' | 'labels' | 'locality' | 'gateway' | 'trustDomain'
>;

/** Addresses that proxies need. */
export type ProxySources = Parameters<typeof proxyBootstrap>[1];

/** As Istio drains: a changed listener ends connections after a response, and none that waits for one. */
const DRAIN = ['--drain-time-s', '45', '--drain-strategy', 'immediate'];

/** The kubelet replaces the pod's address and name. */
export function proxyArguments(pod: ProxiedPod, sources: ProxySources, adminPort: number): readonly string[] {
  const identity = { address: '$(POD_IP)', name: '$(POD_NAME)' };
  const unused = { annotations: {}, node: '', resolvesMeshNames: false };
  const bootstrap = {
    ...proxyBootstrap({ ...pod, ...identity, ...unused }, sources),
    admin: { address: { socket_address: { address: '0.0.0.0', port_value: adminPort } } },
  };
  const flags = ['--disable-hot-restart', '--concurrency', '1', ...DRAIN, '--log-level', 'warning'];
  return ['--config-yaml', JSON.stringify(bootstrap), ...flags];
}
