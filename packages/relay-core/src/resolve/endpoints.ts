/** Where requests for a federated destination go: through the gateways of its mesh. */
import type { Collection, Graph, Read } from '../graph/collection.ts';
import type { Key } from '../graph/key.ts';
import type { EndpointView, Ways } from '../plugin/views.ts';
import type { MeshGateways } from './gateways.ts';

/** Whose endpoints are asked for. */
export interface Reached {
  readonly destination: Key;
  /** The destination's own mesh. */
  readonly home: Key;
}

/** Endpoints as every consumer sees them. Readers that only want to know how many there are do not wait on each of them. */
export interface Endpoints {
  /** All of them, in a fixed order; empty where there is no way. */
  of(read: Read, reached: Reached): readonly EndpointView[];
  /** Undefined where there is no way. */
  ways(read: Read, reached: Reached): Ways | undefined;
}

export function resolveEndpoints(graph: Graph, gateways: Collection<MeshGateways>): Endpoints {
  const ofGateways = graph.derive('resolve/gateway-endpoints', gateways, ({ gateways: found }) =>
    found.flatMap(({ endpoints }) => endpoints),
  );
  const waysOfGateways = graph.derive('resolve/gateway-ways', ofGateways, waysAmong);
  return {
    of: (read, { home }) => read.get(ofGateways, home) ?? [],
    ways: (read, { home }) => read.get(waysOfGateways, home),
  };
}

function waysAmong({ length }: readonly EndpointView[]): Ways | undefined {
  return length === 0 ? undefined : length === 1 ? 'one' : 'several';
}
