// Every field of `spec.policy` of a TrafficPolicy.
import type * as z from 'zod/mini';
import { type FieldTable, fieldsOf } from '../../schema/field.ts';
import { object } from '../../schema/object.ts';
import type { HeaderManipulation } from '../../shared/http.ts';
import { type ConnectionPool, connectionPool } from './connection-pool.ts';
import { type CorsPolicy, corsPolicy } from './cors-policy.ts';
import { type Csrf, csrf } from './csrf.ts';
import { type FaultInjection, faultInjection } from './fault-injection.ts';
import { headerManipulation } from './header-manipulation.ts';
import { type LocalRateLimit, localRateLimit } from './local-rate-limit.ts';
import { type Mirror, mirror } from './mirror.ts';
import { type MtlsPolicy, mtls } from './mtls.ts';
import { type OutlierDetection, outlierDetection } from './outlier-detection.ts';
import { requestTimeout } from './request-timeout.ts';
import { type Retries, retries } from './retries.ts';
import { type TrafficShift, trafficShift } from './traffic-shift.ts';

/**
 * The settings. An omitted setting comes from the most specific other policy for all of these requests, or else from
 * the mesh.
 */
export interface TrafficRules {
  readonly trafficShift?: TrafficShift;
  readonly faultInjection?: FaultInjection;
  /** Go-style duration a request may take, retries included. */
  readonly requestTimeout?: string;
  readonly retries?: Retries;
  readonly corsPolicy?: CorsPolicy;
  readonly mirror?: Mirror;
  readonly headerManipulation?: HeaderManipulation;
  /** Applies to all requests; only without `sourceSelector`. */
  readonly outlierDetection?: OutlierDetection;
  /** Applies to all callers and requests. */
  readonly connectionPool?: ConnectionPool;
  /** Applies to all callers and requests; overrides the Settings object. */
  readonly mtls?: MtlsPolicy;
  readonly csrf?: Csrf;
  readonly localRateLimit?: LocalRateLimit;
}

/** The name of one of them. */
export type TrafficFieldName = keyof TrafficRules;

/** One file for each; a field of {@link TrafficRules} that is missing here is a compile error. */
export const TRAFFIC_FIELDS: FieldTable<TrafficRules> = {
  trafficShift,
  faultInjection,
  requestTimeout,
  retries,
  corsPolicy,
  mirror,
  headerManipulation,
  outlierDetection,
  connectionPool,
  mtls,
  csrf,
  localRateLimit,
};

/** Schema of {@link TrafficRules}. */
export const trafficRules: z.ZodMiniType<TrafficRules> = object<TrafficRules>(
  'TrafficRules',
  fieldsOf<TrafficRules>(TRAFFIC_FIELDS, {}),
);
