/** The kit's samples for one field of `spec` of an AccessLogRecord. */
import type { AccessLogFieldName, AccessLogRecordSpec } from '@meshrelay/api';
import type { AccessLogCapabilitiesOf } from '@meshrelay/plugin';
import { accessLog, type Probe } from '../probe.ts';

/** A field in its own file. */
export interface AccessLogFieldSamples<F extends AccessLogFieldName> {
  /** A probe for each capability. */
  readonly probes: Readonly<Record<AccessLogCapabilitiesOf<F>, Probe>>;
}

/** A record with the field, compared with the same record without it; no part is rejected. */
export function also(spec: AccessLogRecordSpec): Probe {
  return { asks: [accessLog({ ...spec })], without: [accessLog({})] };
}
