/** The listener of a gateway for requests of other clusters: it routes by SNI, and cannot decrypt the traffic. */
import { core, create, listener, pack, sniCluster } from '@meshrelay/envoy-api';
import type { GatewayPartView, WorkloadView } from '@meshrelay/plugin';
import { loggersFor } from '../access-log/loggers.ts';
import { address } from '../messages.ts';
import { listenAddresses } from './listen-addresses.ts';
import { readsHandshake } from './listener-filters.ts';
import { bytesTo } from './network-filters.ts';

/** Placeholder for the cluster that the SNI names; no cluster has this name. */
const NOWHERE = 'nowhere';

export function gatewayListener(
  name: string,
  { containerPort, hosts }: GatewayPartView,
  view: WorkloadView,
): listener.Listener {
  return create(listener.ListenerSchema, {
    name,
    address: address(listenAddresses(view).everywhere, containerPort),
    trafficDirection: core.TrafficDirection.INBOUND,
    listenerFilters: [readsHandshake()],
    filterChains: [
      {
        name: 'by name',
        filterChainMatch: { transportProtocol: 'tls', serverNames: [...hosts] },
        filters: [
          create(listener.FilterSchema, {
            name: 'envoy.filters.network.sni_cluster',
            configType: { case: 'typedConfig', value: pack(sniCluster.SniClusterSchema, {}) },
          }),
          bytesTo(NOWHERE, 'gateway', loggersFor(view.accessLog)('gateway').connections),
        ],
      },
    ],
  });
}
