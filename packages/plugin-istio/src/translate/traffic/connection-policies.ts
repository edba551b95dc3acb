/** Policies behind a DestinationRule. */
import type { PolicyRef } from '@meshrelay/api';
import { type ConnectionView, rememberedUntilRest, type Sourced } from '@meshrelay/relay-core';

/** The policies behind connection settings and subsets. */
export function connectionPolicies(
  connection: ConnectionView,
  subsets: ReadonlyArray<Sourced<unknown>>,
): readonly PolicyRef[] {
  return subsets.length === 0
    ? policiesBehind(connection)
    : [...policiesBehind(connection), ...subsets.flatMap(({ from }) => from)];
}

const policiesBehind = rememberedUntilRest((connection: ConnectionView): readonly PolicyRef[] =>
  Object.values(connection as Record<string, Sourced<unknown>>).flatMap(({ from }) => from),
);
