/** The kit's samples for one field of `spec.policy` of a TrafficPolicy. */
import type { TrafficFieldName, TrafficRules } from '@meshrelay/api';
import type { TrafficCapabilitiesOf } from '@meshrelay/plugin';
import type { PolicySpec } from '../../fleet/policy-object.ts';
import { type Probe, traffic } from '../probe.ts';

type ValueOf<F extends TrafficFieldName> = NonNullable<TrafficRules[F]>;

/** A field in its own file. */
export interface TrafficFieldSamples<F extends TrafficFieldName> {
  /** A probe for each capability; the first is that of the field as a whole. */
  readonly probes: Readonly<Record<TrafficCapabilitiesOf<F>, Probe>>;
  /**
   * Values that together set every member, each for its own Service, named `name`. Members that many meshes lack are in
   * a separate value: core may drop a whole value for them.
   */
  values(name: string): ReadonlyArray<ValueOf<F>>;
  /** Two values that cannot both apply to one Service, named `books`. */
  readonly conflict: readonly [ValueOf<F>, ValueOf<F>];
}

export const NEW_BOOKS = { name: 'new-books', namespace: 'shop', clusterName: 'cluster-1' };

/** A TrafficPolicy that sets some fields. */
export function rules(policy: TrafficRules): PolicySpec {
  return traffic({ policy });
}

/** A probe of these fields, compared with no policy. */
export function probe(policy: TrafficRules): Probe {
  return { asks: [rules(policy)] };
}
