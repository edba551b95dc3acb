/** The kit's samples for every field of `spec.policy` of a TrafficPolicy. */
import type { TrafficFieldName, TrafficRules } from '@meshrelay/api';
import type { ViewField } from '@meshrelay/plugin';
import { type GroupProbes, type Probe, probesOf } from '../probe.ts';
import { connectionPool } from './connection-pool.ts';
import { corsPolicy } from './cors-policy.ts';
import { csrf } from './csrf.ts';
import { faultInjection } from './fault-injection.ts';
import type { TrafficFieldSamples } from './field.ts';
import { headerManipulation } from './header-manipulation.ts';
import { localRateLimit } from './local-rate-limit.ts';
import { mirror } from './mirror.ts';
import { mtls } from './mtls.ts';
import { outlierDetection } from './outlier-detection.ts';
import { requestTimeout } from './request-timeout.ts';
import { retries } from './retries.ts';
import { trafficShift } from './traffic-shift.ts';

/** One file per field; a field of the API that is missing here is a compile error. */
const SAMPLES: { readonly [F in TrafficFieldName]: TrafficFieldSamples<F> } = {
  requestTimeout,
  trafficShift,
  headerManipulation,
  faultInjection,
  mirror,
  retries,
  corsPolicy,
  csrf,
  localRateLimit,
  outlierDetection,
  connectionPool,
  mtls,
};

export const TRAFFIC_PROBES: GroupProbes<'route' | 'connection'> = probesOf(SAMPLES);

/** Two TrafficPolicies that set one field and cannot both apply. */
export interface TrafficConflict {
  /** The capability of the field as a whole. */
  readonly capability: ViewField;
  readonly one: TrafficRules;
  readonly other: TrafficRules;
}

export const TRAFFIC_CONFLICTS: readonly TrafficConflict[] = Object.entries(SAMPLES).map(([name, samples]) => {
  const { probes, conflict } = samples as AnySamples;
  const [one, other] = conflict;
  return { capability: Object.keys(probes)[0] as ViewField, one: { [name]: one }, other: { [name]: other } };
});

/** Every value of every field, each as the policy for a separate Service. */
export const TRAFFIC_VALUES: ReadonlyArray<(service: string) => TrafficRules> = Object.entries(SAMPLES).flatMap(
  ([field, samples]) => {
    const { values } = samples as AnySamples;
    return values('').map((_, index) => (service: string) => ({ [field]: values(service)[index] }));
  },
);

/** The samples of a field of any name. */
interface AnySamples {
  readonly probes: Readonly<Record<string, Probe>>;
  values(name: string): readonly unknown[];
  readonly conflict: readonly [unknown, unknown];
}
