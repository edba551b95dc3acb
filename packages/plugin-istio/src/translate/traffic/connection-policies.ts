/** The source policies of a DestinationRule. */
import { type ConnectionView, memoizeUntilCompaction, type PolicyRef, type Sourced } from '@meshrelay/plugin';

/** The source policies of connection settings and subsets. */
export function connectionPolicies(
  connection: ConnectionView,
  subsets: ReadonlyArray<Sourced<unknown>>,
): readonly PolicyRef[] {
  return subsets.length === 0
    ? sourcePoliciesOf(connection)
    : [...sourcePoliciesOf(connection), ...subsets.flatMap(({ from }) => from)];
}

const sourcePoliciesOf = memoizeUntilCompaction((connection: ConnectionView): readonly PolicyRef[] =>
  Object.values(connection as Record<string, Sourced<unknown>>).flatMap(({ from }) => from),
);
