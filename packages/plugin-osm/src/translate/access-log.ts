/** OSM has no API for access logs. */
import { type AccessLogFieldName, type AccessLogRows, type CapabilityRows, rowsOf } from '@meshrelay/plugin';

const OWN_OUTPUT = {
  unsupported: 'proxies of OSM write access logs to standard output, and OSM has no API to change that',
};

/** A field of the API that is missing here is a compile error. */
const ROWS: { readonly [F in AccessLogFieldName]: { readonly capabilities: AccessLogRows<F> } } = {
  filters: { capabilities: { 'accessLog.filters.status': OWN_OUTPUT, 'accessLog.filters.header': OWN_OUTPUT } },
  includedRequestHeaders: { capabilities: { 'accessLog.requestHeaders': OWN_OUTPUT } },
  includedResponseHeaders: { capabilities: { 'accessLog.responseHeaders': OWN_OUTPUT } },
  includedResponseTrailers: { capabilities: { 'accessLog.responseTrailers': OWN_OUTPUT } },
  includedFilterStateObjects: { capabilities: { 'accessLog.filterState': OWN_OUTPUT } },
};

const RECORD = { capabilities: { 'accessLog.requests': OWN_OUTPUT } };

export const ACCESS_LOG_CAPABILITIES: CapabilityRows<'accessLog'> = rowsOf({ RECORD, ...ROWS });
