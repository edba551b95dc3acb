// Every field of `spec` of an AccessLogRecord.
import type { FieldTable } from '../../schema/field.ts';
import { type AccessLogFilters, filters } from './filters.ts';
import { type IncludedFilterStateObjects, includedFilterStateObjects } from './included-filter-state-objects.ts';
import { type IncludedRequestHeaders, includedRequestHeaders } from './included-request-headers.ts';
import { type IncludedResponseHeaders, includedResponseHeaders } from './included-response-headers.ts';
import { type IncludedResponseTrailers, includedResponseTrailers } from './included-response-trailers.ts';
import { type LoggedWorkloads, workloadSelectors } from './workload-selectors.ts';

/** Which requests of which workloads are logged, and which fields in addition to those that are always logged. */
export interface AccessLogRecordSpec {
  readonly workloadSelectors?: LoggedWorkloads;
  readonly filters?: AccessLogFilters;
  readonly includedRequestHeaders?: IncludedRequestHeaders;
  readonly includedResponseHeaders?: IncludedResponseHeaders;
  readonly includedResponseTrailers?: IncludedResponseTrailers;
  readonly includedFilterStateObjects?: IncludedFilterStateObjects;
}

/** The name of a field that describes entries; `workloadSelectors` only says where the record applies. */
export type AccessLogFieldName = Exclude<keyof AccessLogRecordSpec, 'workloadSelectors'>;

/** One file for each; a field of {@link AccessLogRecordSpec} that is missing here is a compile error. */
export const ACCESS_LOG_FIELDS: FieldTable<AccessLogRecordSpec> = {
  workloadSelectors,
  filters,
  includedRequestHeaders,
  includedResponseHeaders,
  includedResponseTrailers,
  includedFilterStateObjects,
};
