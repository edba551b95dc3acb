/** What core does with one field of `spec` of an AccessLogRecord. */
import type { AccessLogRecordSpec, AccessLogRule } from '@meshrelay/api';

/**
 * A field in a file of its own; `ACCESS_LOG_FIELD_VIEWS` lists them all. `Part`: its part of a rule of the views.
 * `Capability`: the names of its capabilities.
 */
export interface AccessLogField<Part, Capability extends string> {
  /** Its capabilities, each with the path in the policy that reports name. */
  readonly capabilities: Readonly<Record<Capability, string>>;
  /** Its part of the rule. */
  view(spec: AccessLogRecordSpec): Part;
  /** Capabilities without which a mesh cannot apply the rule at all. */
  requires?(rule: Part): readonly Capability[];
  /** Its part of the rule without what a mesh does not support; undefined if it supports all. */
  reduce?(rule: Part, supports: (capability: Capability) => boolean): Part | undefined;
  /** Its part of the rule by which agents retain entries. */
  retained(rule: Part): Partial<AccessLogRule>;
}
