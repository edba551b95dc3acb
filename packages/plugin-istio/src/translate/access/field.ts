/** The translation of one field of `spec` of an AccessPolicy. */
import type { AccessFieldName, AccessRows, AccessRuleView } from '@meshrelay/plugin';
import type { ReportSink } from '../reported.ts';
import type { TrustDomains } from './trust-domains.ts';

/** A field in its own file. */
export interface AccessField<F extends AccessFieldName> {
  readonly capabilities: AccessRows<F>;
  /** Its part of a rule of an AuthorizationPolicy. */
  rule?(rule: AccessRuleView, trust: TrustDomains): Readonly<Record<string, unknown>>;
  /** Its part of the operation of a rule. An empty list is left out. */
  operation?(rule: AccessRuleView): Readonly<Record<string, readonly string[]>>;
  /**
   * Its part of the rule, as far as Istio can express it; undefined if it can express all. `nothing`: no part of the
   * rule may be written. Reports what it cannot express.
   */
  expressible?(rule: AccessRuleView, report: ReportSink): Partial<AccessRuleView> | 'nothing' | undefined;
}
