/** Addresses for Services of type LoadBalancer. */
import type { KubeObject } from '../object.ts';
import type { ControllerStore } from '../storage/controller-store.ts';
import { createAddressPool } from './address-pool.ts';
import type { Controller, OnFault } from './controller.ts';
import { SERVICE } from './kinds.ts';
import { refOf, startLoop } from './reconcile-loop.ts';

/** Assigns LoadBalancer Services an address of the pool; without a pool they stay pending, as in a real cluster. */
export function startLoadBalancers(
  store: ControllerStore,
  {
    loadBalancerPool,
    onFault,
  }: { readonly loadBalancerPool?: string | undefined; readonly onFault?: OnFault | undefined } = {},
): Controller {
  const pool = loadBalancerPool === undefined ? undefined : createAddressPool(loadBalancerPool);
  return startLoop({
    name: 'Service',
    store,
    watches: [{ kind: SERVICE, refs: (event) => [refOf(event)] }],
    reconcile(ref) {
      const service = store.get(SERVICE, ref);
      const key = `${ref.namespace}/${ref.name}`;
      const expected = service?.['spec']?.type === 'LoadBalancer' && service.metadata.deletionTimestamp === undefined;
      if (!expected) pool?.release(key);
      if (service === undefined || pool === undefined) return;
      const requested: string | undefined = expected ? service['spec'].loadBalancerIP : undefined;
      if (requested) pool.observe(key, requested);
      const ip = expected ? pool.claim(key) : undefined;
      store.update({ ...service, status: withAddress(service, ip) }, { subresource: 'status' });
    },
    onFault,
  });
}

function withAddress(service: KubeObject, ip: string | undefined): KubeObject['status'] {
  const loadBalancer = ip === undefined ? {} : { ingress: [{ ip, ipMode: 'VIP' }] };
  return { ...service['status'], loadBalancer };
}
