// The single settings a TrafficPolicy can make.
import type { z } from 'zod';
import { list } from '../schema/collection.ts';
import { type Fields, object } from '../schema/object.ts';
import { exactlyOneOf } from '../schema/rule.ts';
import { duration, flag, headerName, integer, method, oneOf, percentage, port, textLike } from '../schema/scalar.ts';
import { type StringMatch, stringMatch } from '../shared/http.ts';
import { type ClusterObjectRef, clusterObjectRef } from '../shared/ref.ts';

/** Ends requests with an error. */
export interface FaultAbort {
  /** Status code of the answer. */
  readonly httpStatus: number;
}

/** Makes requests fail on purpose: exactly one of a delay and an abort. */
export interface FaultInjection {
  /** Go-style duration each request is held back. */
  readonly fixedDelay?: string;
  readonly abort?: FaultAbort;
  /** Percent of the requests, 0 to 100; omitted means all. */
  readonly percentage?: number;
}

/** Sends failed requests again. */
export interface Retries {
  /** Tries after the first; 0 turns retries off. */
  readonly attempts: number;
  /** Go-style duration each try may take, at least 1ms. */
  readonly perTryTimeout?: string;
  /** What counts as failed, in Envoy's words, such as `5xx` or `connect-failure`; omitted or empty means the mesh's choice. */
  readonly retryOn?: readonly string[];
  /** True when a retry may go to another locality. */
  readonly retryRemoteLocalities?: boolean;
}

/** Cross-origin resource sharing. */
export interface CorsPolicy {
  readonly allowOrigins?: readonly StringMatch[];
  /** Methods other sites may use. */
  readonly allowMethods?: readonly string[];
  /** Request headers other sites may send. */
  readonly allowHeaders?: readonly string[];
  /** Response headers other sites may read. */
  readonly exposeHeaders?: readonly string[];
  /** Go-style duration a preflight answer may be cached; told to browsers in whole seconds, at least one. */
  readonly maxAge?: string;
  /** Whether other sites may send cookies and the like. */
  readonly allowCredentials?: boolean;
}

/** Sends a copy of the requests elsewhere; answers to copies are thrown away. */
export interface Mirror {
  readonly kubeService: ClusterObjectRef;
  /** Percent of the requests, 0 to 100; omitted means all. */
  readonly percentage?: number;
  /** Required when the Service has more than one port. */
  readonly port?: number;
}

/** Leaves out endpoints that keep failing. */
export interface OutlierDetection {
  /** Errors in a row before an endpoint is left out; omitted means 5. */
  readonly consecutiveErrors?: number;
  /** Go-style duration between two looks; omitted means 10s. */
  readonly interval?: string;
  /** Go-style duration of the first ejection; omitted means 30s. */
  readonly baseEjectionTime?: string;
  /** Percent of the endpoints that may be left out at once, 0 to 100; omitted means 100. */
  readonly maxEjectionPercent?: number;
}

/** TLS a client uses towards the destination. */
export type TlsMode = 'DISABLE' | 'SIMPLE' | 'ISTIO_MUTUAL';

/** TLS settings of Istio's clients. */
export interface IstioMtls {
  readonly tlsMode: TlsMode;
}

/** TLS towards the destination, per mesh type. */
export interface MtlsPolicy {
  readonly istio?: IstioMtls;
}

/** Refuses requests other sites made a browser send. */
export interface Csrf {
  /** Refuse what is judged forged. */
  readonly filterEnabled?: boolean;
  /** Judge and count, but refuse nothing. */
  readonly shadowEnabled?: boolean;
  /** Percent of the requests judged, 0 to 100; omitted means all. */
  readonly percentage?: number;
  /** Origins that are let through beside the destination's own. */
  readonly additionalOrigins?: readonly StringMatch[];
}

/** The time a rate is counted over. */
export type RateLimitUnit = 'SECOND' | 'MINUTE' | 'HOUR' | 'DAY';

/** Limits the requests each proxy of the destination lets in. */
export interface LocalRateLimit {
  /** Requests let in per unit of time. */
  readonly requestsPerUnit: number;
  readonly unit: RateLimitUnit;
  /** Requests let in at once after a quiet time; omitted means `requestsPerUnit`. */
  readonly burst?: number;
}

const faultAbort: z.ZodType<FaultAbort> = object<FaultAbort>('FaultAbort', {
  required: { httpStatus: integer(200, 599) },
  optional: {},
});

/** Schema of {@link FaultInjection}. */
export const faultInjection: z.ZodType<FaultInjection> = object<FaultInjection>(
  'FaultInjection',
  { required: {}, optional: { fixedDelay: duration, abort: faultAbort, percentage } },
  [exactlyOneOf<FaultInjection>('fixedDelay', 'abort')],
);

const retryCondition: z.ZodType<string> = textLike({
  expected: 'a condition as Envoy names it, such as 5xx or connect-failure, or a status code',
  pattern: /^[a-z0-9][a-z0-9-]*$/,
  maxLength: 64,
});

/** Schema of {@link Retries}. */
export const retries: z.ZodType<Retries> = object<Retries>('Retries', {
  required: { attempts: integer() },
  optional: { perTryTimeout: duration, retryOn: list(retryCondition), retryRemoteLocalities: flag },
});

const corsMethod: z.ZodType<string> = textLike({
  expected: 'an HTTP method in upper case, such as GET, or *',
  pattern: /^([A-Z][A-Z-]*|\*)$/,
  maxLength: 32,
  holds: (value) => value === '*' || method.safeParse(value).success,
});

/** Schema of {@link CorsPolicy}. */
export const corsPolicy: z.ZodType<CorsPolicy> = object<CorsPolicy>('CorsPolicy', {
  required: {},
  optional: {
    allowOrigins: list(stringMatch),
    allowMethods: list(corsMethod),
    allowHeaders: list(headerName),
    exposeHeaders: list(headerName),
    maxAge: duration,
    allowCredentials: flag,
  },
});

/** Schema of {@link Mirror}. */
export const mirror: z.ZodType<Mirror> = object<Mirror>('Mirror', {
  required: { kubeService: clusterObjectRef },
  optional: { percentage, port },
});

/** Its fields, whatever it means that one is omitted. */
export const outlierDetectionFields: Fields<OutlierDetection> = {
  required: {},
  optional: {
    consecutiveErrors: integer(1),
    interval: duration,
    baseEjectionTime: duration,
    maxEjectionPercent: integer(0, 100),
  },
};

/** Schema of {@link OutlierDetection}. */
export const outlierDetection: z.ZodType<OutlierDetection> = object<OutlierDetection>(
  'OutlierDetection',
  outlierDetectionFields,
);

const istioMtls: z.ZodType<IstioMtls> = object<IstioMtls>('IstioMtls', {
  required: { tlsMode: oneOf('DISABLE', 'SIMPLE', 'ISTIO_MUTUAL') },
  optional: {},
});

/** Schema of {@link MtlsPolicy}. */
export const mtlsPolicy: z.ZodType<MtlsPolicy> = object<MtlsPolicy>('MtlsPolicy', {
  required: {},
  optional: { istio: istioMtls },
});

/** Schema of {@link Csrf}. */
export const csrf: z.ZodType<Csrf> = object<Csrf>('Csrf', {
  required: {},
  optional: { filterEnabled: flag, shadowEnabled: flag, percentage, additionalOrigins: list(stringMatch) },
});

/** Schema of {@link LocalRateLimit}. */
export const localRateLimit: z.ZodType<LocalRateLimit> = object<LocalRateLimit>('LocalRateLimit', {
  required: { requestsPerUnit: integer(1), unit: oneOf('SECOND', 'MINUTE', 'HOUR', 'DAY') },
  optional: { burst: integer(1) },
});
