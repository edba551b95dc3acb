/** spec.static */
import type { ClusterObjectRef } from '@meshrelay/api';
import type { ServiceName, VirtualDestinationField } from './field.ts';

/** `static` is a reserved word. */
export const staticFailover: VirtualDestinationField<'static'> = {
  capabilities: { 'virtualDestination.static': 'spec.static' },
  view: ({ static: fixed }) => (fixed === undefined ? {} : { failover: { kind: 'static' } }),
  backends: ({ static: fixed }) => {
    if (fixed === undefined) return undefined;
    const services = fixed.destinations.map(({ kubeService }) => kubeService);
    return {
      field: 'spec.static.destinations',
      selectors: [{ kubeServiceRefs: { services } }],
      priorityOf: (service) => services.findIndex((one) => isService(one, service)),
    };
  },
  requires: ({ failover }) => (failover.kind === 'static' ? ['virtualDestination.static'] : []),
};

function isService(ref: ClusterObjectRef, { cluster, namespace, name }: ServiceName): boolean {
  return ref.clusterName === cluster && ref.namespace === namespace && ref.name === name;
}
