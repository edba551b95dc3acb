// AccessLogRecord: which requests of workloads are logged.
import type { z } from 'zod';
import type { EXTENSIONS_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { list } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { exactlyOneOf } from '../schema/rule.ts';
import { headerName, integer, name, oneOf } from '../schema/scalar.ts';
import { type HeaderMatch, headerMatch } from '../shared/http.ts';
import { type WorkloadSelector, workloadSelector } from '../shared/selector.ts';
import type { PolicyStatus } from '../shared/status.ts';

/** EQ: exactly this status; GE: this or above; LE: this or below. */
export type StatusComparator = 'EQ' | 'GE' | 'LE';

/** Matches the status of a response; an entry without one, such as that of a TCP connection, never matches. */
export interface StatusCodeMatcher {
  /** 100 to 599; 0 if no response was sent. */
  readonly value: number;
  readonly comparator: StatusComparator;
}

/** Matches entries in exactly one way. */
export interface AccessLogFilter {
  readonly statusCodeMatcher?: StatusCodeMatcher;
  /** A header of the request; `:method`, `:path`, `:authority` and `:scheme` too. */
  readonly headerMatcher?: HeaderMatch;
}

/** Which requests of which workloads are logged, and which fields in addition to those that are always logged. */
export interface AccessLogRecordSpec {
  /** Omitted or empty: every workload. */
  readonly workloadSelectors?: readonly WorkloadSelector[];
  /** An entry is logged when any of them matches; omitted or empty: every entry. */
  readonly filters?: readonly AccessLogFilter[];
  /** Names of request headers that are logged. */
  readonly includedRequestHeaders?: readonly string[];
  /** Names of response headers that are logged. */
  readonly includedResponseHeaders?: readonly string[];
  /** Names of response trailers that are logged. */
  readonly includedResponseTrailers?: readonly string[];
  /** Names of objects in Envoy's filter state that are logged. */
  readonly includedFilterStateObjects?: readonly string[];
}

/**
 * Which requests of workloads are logged. Several records for one workload all apply: everything that any of them
 * selects is logged.
 */
export interface AccessLogRecord extends KubeObject<AccessLogRecordSpec, PolicyStatus> {
  readonly apiVersion: typeof EXTENSIONS_API_VERSION;
  readonly kind: 'AccessLogRecord';
}

const statusCodeMatcher: z.ZodType<StatusCodeMatcher> = object<StatusCodeMatcher>('StatusCodeMatcher', {
  required: { value: integer(0, 599), comparator: oneOf('EQ', 'GE', 'LE') },
  optional: {},
});

const filterFields = { required: {}, optional: { statusCodeMatcher, headerMatcher: headerMatch } } as const;

/**
 * An {@link AccessLogFilter} that was validated where it was written. API servers accept no rules in lists of unlimited
 * length.
 */
export const checkedFilter: z.ZodType<AccessLogFilter> = object<AccessLogFilter>('AccessLogFilter', filterFields);

/** Schema of {@link AccessLogFilter}. */
export const accessLogFilter: z.ZodType<AccessLogFilter> = object<AccessLogFilter>('AccessLogFilter', filterFields, [
  exactlyOneOf<AccessLogFilter>('statusCodeMatcher', 'headerMatcher'),
]);

const headerNames = list(headerName, { maximum: 100 });

/** Schema of {@link AccessLogRecordSpec}. */
export const accessLogRecordSpec: z.ZodType<AccessLogRecordSpec> = object<AccessLogRecordSpec>('AccessLogRecordSpec', {
  required: {},
  optional: {
    workloadSelectors: list(workloadSelector),
    filters: list(accessLogFilter, { maximum: 100 }),
    includedRequestHeaders: headerNames,
    includedResponseHeaders: headerNames,
    includedResponseTrailers: headerNames,
    includedFilterStateObjects: list(name, { maximum: 100 }),
  },
});
