/** Probes of what is logged of requests. */
import { accessLog, type Probe, type Probes } from '../probe.ts';

/** Beside a record that asks for the same without it, and is refused nothing. */
const also = (spec: object): Probe => ({ asks: [accessLog({ ...spec })], without: [accessLog({})] });

/** A record that cannot be carried is left out as a whole. */
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
