/** What core does with one field of `spec` of an AccessLogRecord. */
import type { AccessLogFieldName, AccessLogRecordSpec } from '@meshrelay/api';
import type { AccessLogCapabilitiesOf } from '@meshrelay/plugin';
import type { AccessLogPartOf } from '@meshrelay/plugin/host';

/** A field in a file of its own; `ACCESS_LOG_FIELD_VIEWS` lists them all. `F`: its name in the API. */
export interface AccessLogField<F extends AccessLogFieldName> {
  /** Its capabilities, each with the path in the policy that reports name. */
  readonly capabilities: Readonly<Record<AccessLogCapabilitiesOf<F>, string>>;
  /** Its part of the rule. */
  view(spec: AccessLogRecordSpec): AccessLogPartOf<F>;
  /** Capabilities without which a mesh cannot apply the rule at all. */
  requires?(rule: AccessLogPartOf<F>): ReadonlyArray<AccessLogCapabilitiesOf<F>>;
  /** Its part of the rule without what a mesh does not support; undefined if it supports all. */
  reduce?(
    rule: AccessLogPartOf<F>,
    supports: (capability: AccessLogCapabilitiesOf<F>) => boolean,
  ): AccessLogPartOf<F> | undefined;
}
