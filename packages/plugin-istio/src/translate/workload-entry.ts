/** Endpoints of ServiceEntries. */
import type { EndpointView, LocalityView } from '@meshrelay/plugin';
import { present } from '../present.ts';

/**
 * Without the label for mutual TLS, proxies would not use mutual TLS to this endpoint.
 * @param ports numbers to dial, by the names of the ports
 */
export function workloadEntry(
  { address, locality, labels }: EndpointView,
  ports: Readonly<Record<string, number>>,
  more: Readonly<Record<string, string>> = {},
): Record<string, unknown> {
  return present({
    address,
    ports,
    locality: locality === undefined ? undefined : localityText(locality),
    labels: { ...labels, ...more, 'security.istio.io/tlsMode': 'istio' },
  });
}

/** `region/zone/subzone`, up to the first unknown part. */
function localityText({ region, zone, subZone }: LocalityView): string {
  return [region, zone, subZone].filter((part) => part !== undefined).join('/');
}
