/** Probes of access log fields. */
import { accessLog, type Probe, type Probes } from '../probe.ts';

/** A record with the field, compared with the same record without it; no part is rejected. */
const also = (spec: object): Probe => ({ asks: [accessLog({ ...spec })], without: [accessLog({})] });

/** A record that the mesh does not support is left out as a whole. */
const filtered = (filter: object): Probe => ({
  asks: [accessLog({ filters: [filter] })],
  without: [accessLog({})],
  refused: [],
});

export const ACCESS_LOG_PROBES: Probes<'accessLog'> = {
  'accessLog.requests': { asks: [accessLog({})] },
  'accessLog.filters.status': filtered({ statusCodeMatcher: { value: 500, comparator: 'GE' } }),
  'accessLog.filters.header': filtered({ headerMatcher: { name: 'x-debug', value: 'on' } }),
  'accessLog.requestHeaders': also({ includedRequestHeaders: ['x-request-id'] }),
  'accessLog.responseHeaders': also({ includedResponseHeaders: ['server'] }),
  'accessLog.responseTrailers': also({ includedResponseTrailers: ['grpc-status'] }),
  'accessLog.filterState': also({ includedFilterStateObjects: ['example.state'] }),
};
