/** What core does with one field of `spec` of an AccessPolicy. */
import type { AccessFieldName, AccessPolicySpec, Report } from '@meshrelay/api';
import type { AccessCapabilitiesOf } from '@meshrelay/plugin';
import type { AccessPartOf } from '@meshrelay/plugin/host';
import type { Remaining } from './remaining.ts';

/** What the views of an AccessPolicy depend on, apart from its spec. */
export interface AccessContext {
  /** The trust domains that the destination's mesh accepts. */
  readonly domains: readonly string[];
  /** The trust domains of named clusters. `field`: the path for reports. */
  inClusters(clusters: readonly string[], field: string): Domains;
  /** The trust domains that a policy names directly. */
  named(domains: readonly string[], field: string): Domains;
}

/** Trust domains, and reports on those that are left out. */
export interface Domains {
  readonly domains: readonly string[];
  readonly reports: readonly Report[];
}

/** A field in a file of its own; `ACCESS_FIELD_VIEWS` lists them all. `F`: its name in the API. */
export interface AccessField<F extends AccessFieldName> {
  /** Its capabilities, each with the path in the policy that reports name. */
  readonly capabilities: Readonly<Record<AccessCapabilitiesOf<F>, string>>;
  /** Its part of a rule that admits no caller: an ALLOW without sources. */
  readonly closed: AccessPartOf<F>;
  /** Its part of the rule; undefined if it sets nothing. Reports on the policy go to `report`. */
  view(spec: AccessPolicySpec, context: AccessContext, report: (report: Report) => void): AccessPartOf<F> | undefined;
  /** True if the view of this policy depends on meshes other than through `AccessContext.domains`. */
  namesMeshes?(spec: AccessPolicySpec): boolean;
  /** Capabilities without which a mesh cannot apply the rule at all. */
  requires(rule: AccessPartOf<F>): ReadonlyArray<AccessCapabilitiesOf<F>>;
  /**
   * What a DENY rule leaves of an ALLOW rule, compared by this field alone. `none` for fields without conditions on
   * requests: core compares callers itself.
   */
  remaining(allow: AccessPartOf<F>, deny: AccessPartOf<F>): Remaining<AccessPartOf<F>>;
  /** Whether the rule has a condition on HTTP requests, which proxies can read on HTTP ports only. Omitted: no. */
  readsRequests?(rule: AccessPartOf<F>): boolean;
  /** Whether the rule applies to requests to a port of the pods. Omitted: yes. */
  appliesToPort?(rule: AccessPartOf<F>, port: number): boolean;
}
