/** The listener for an application's outbound requests: its sidecar is the HTTP proxy of the pod. */
import { core, create, earlyHeaderMutation, httpConnectionManager, listener, pack } from '@meshrelay/envoy-api';
import type { WorkloadView } from '@meshrelay/plugin';
import { loggersFor } from '../access-log/loggers.ts';
import { address, fromAgent } from '../messages.ts';
import { OUTBOUND_PORT } from '../ports.ts';
import { labelsHeader, SOURCE_LABELS, SOURCE_NAMESPACE } from '../source-headers.ts';
import { headerOption } from '../traffic/header-manipulation.ts';
import { outboundWasm } from '../wasm/workload-filters.ts';
import { OUTBOUND_ROUTES } from '../xds-config.ts';
import { callerFilters, routerFilter } from './http-filters.ts';
import { listenAddresses } from './listen-addresses.ts';
import { requestsTo } from './network-filters.ts';

/**
 * The same for all workloads, except for the description of the caller. Routes, the only part that changes often, are
 * served separately.
 */
export function outboundListener(name: string, view: WorkloadView): listener.Listener {
  const { namespace, podLabels, accessLog } = view;
  const wasm = outboundWasm(view);
  return create(listener.ListenerSchema, {
    name,
    address: address(listenAddresses(view).loopback, OUTBOUND_PORT),
    trafficDirection: core.TrafficDirection.OUTBOUND,
    filterChains: [
      {
        filters: [
          requestsTo({
            statPrefix: 'outbound',
            routeSpecifier: { case: 'rds', value: { configSource: fromAgent(), routeConfigName: OUTBOUND_ROUTES } },
            httpFilters: [...wasm.first, ...callerFilters(), ...wasm.middle, ...wasm.last, routerFilter()],
            accessLog: loggersFor(accessLog)('outbound').requests,
            earlyHeaderMutationExtensions: [callerHeaders(namespace, podLabels)],
            // The application's own request, whatever client address its headers contain.
            useRemoteAddress: false,
            skipXffAppend: true,
            upgradeConfigs: [{ upgradeType: 'CONNECT' }, { upgradeType: 'websocket' }],
            http2ProtocolOptions: { allowConnect: true },
            httpProtocolOptions: { allowAbsoluteUrl: true },
            codecType: httpConnectionManager.HttpConnectionManager_CodecType.AUTO,
          }),
        ],
      },
    ],
  });
}

/** Runs before the route is chosen, since routes may match some callers only. */
function callerHeaders(namespace: string, labels: Readonly<Record<string, string>>): core.TypedExtensionConfig {
  const { OVERWRITE_IF_EXISTS_OR_ADD } = core.HeaderValueOption_HeaderAppendAction;
  const set = (header: string, value: string) => ({
    action: { case: 'append', value: headerOption(header, value, OVERWRITE_IF_EXISTS_OR_ADD) } as const,
  });
  return create(core.TypedExtensionConfigSchema, {
    name: 'envoy.http.early_header_mutation.header_mutation',
    typedConfig: pack(earlyHeaderMutation.HeaderMutationSchema, {
      mutations: [set(SOURCE_NAMESPACE, namespace), set(SOURCE_LABELS, labelsHeader(labels))],
    }),
  });
}
