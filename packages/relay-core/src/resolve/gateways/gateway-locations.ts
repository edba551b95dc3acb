/** Namespaces and ServiceAccounts of gateways: each once, in order. */
import type { ExportView, GatewayView } from '@meshrelay/plugin';

type Places = Pick<ExportView, 'gatewayNamespaces' | 'gatewayAccounts'>;

export const NO_GATEWAYS: Places = { gatewayNamespaces: [], gatewayAccounts: [] };

/** Of all gateways of a mesh. */
export function placesOf(gateways: ReadonlyArray<Pick<GatewayView, 'namespace' | 'serviceAccounts'>>): Places {
  const accounts = gateways.flatMap(({ namespace, serviceAccounts }) =>
    serviceAccounts.map((name) => [`${namespace}/${name}`, { namespace, name }] as const),
  );
  return {
    gatewayNamespaces: [...new Set(gateways.map(({ namespace }) => namespace))].sort(),
    gatewayAccounts: [...new Map(accounts)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, account]) => account),
  };
}
