/** Services that not everybody sees, by an annotation of their own. */
import type { KubeObject } from '@meshrelay/api';
import { type Collection, type Graph, textOf } from '@meshrelay/relay-core';
import { type ServiceDetails, seenIn } from '../visibility.ts';

/** The annotation that says who sees a Service. */
const EXPORT_TO = 'networking.istio.io/exportTo';

/** What such annotations say, under the Services' own keys. */
export function serviceVisibility(
  graph: Pick<Graph, 'derive'>,
  services: Collection<KubeObject>,
): Collection<ServiceDetails> {
  return graph.derive('istio/service-visibility', services, ({ metadata }): ServiceDetails | undefined => {
    const text = textOf(metadata.annotations?.[EXPORT_TO]);
    if (text === undefined || text === '') return undefined;
    const names = text.split(',').map((name) => name.trim());
    return { exportTo: [...seenIn(names, metadata.namespace ?? '')] };
  });
}
