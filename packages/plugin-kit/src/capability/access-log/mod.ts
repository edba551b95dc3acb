/** The kit's samples for every field of `spec` of an AccessLogRecord. */
import type { AccessLogFieldName } from '@meshrelay/api';
import { accessLog, type GroupProbes, probesOf } from '../probe.ts';
import type { AccessLogFieldSamples } from './field.ts';
import { filters } from './filters.ts';
import { includedFilterStateObjects } from './included-filter-state-objects.ts';
import { includedRequestHeaders } from './included-request-headers.ts';
import { includedResponseHeaders } from './included-response-headers.ts';
import { includedResponseTrailers } from './included-response-trailers.ts';

/** One file per field; a field of the API that is missing here is a compile error. */
const SAMPLES: { readonly [F in AccessLogFieldName]: AccessLogFieldSamples<F> } = {
  filters,
  includedRequestHeaders,
  includedResponseHeaders,
  includedResponseTrailers,
  includedFilterStateObjects,
};

const RECORD = { probes: { 'accessLog.requests': { asks: [accessLog({})] } } };

export const ACCESS_LOG_PROBES: GroupProbes<'accessLog'> = probesOf({ RECORD, ...SAMPLES });
