/** Reads which Services are not visible in all namespaces, from their annotation. */
import { type Collection, type DiscoveryGraph, type KubeObject, textOf } from '@meshrelay/plugin';
import { type ServiceDetails, seenIn } from '../visibility.ts';

/** The annotation that limits the namespaces in which a Service is visible. */
const EXPORT_TO = 'networking.istio.io/exportTo';

/** The values of these annotations, by the Services' keys. */
export function serviceVisibility(
  graph: Pick<DiscoveryGraph, 'derive'>,
  services: Collection<KubeObject>,
): Collection<ServiceDetails> {
  return graph.derive('istio/service-visibility', services, ({ metadata }): ServiceDetails | undefined => {
    const text = textOf(metadata.annotations?.[EXPORT_TO]);
    if (text === undefined || text === '') return undefined;
    const names = text.split(',').map((name) => name.trim());
    return { exportTo: [...seenIn(names, metadata.namespace ?? '')] };
  });
}
