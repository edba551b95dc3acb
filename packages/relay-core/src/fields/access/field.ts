/** What core does with one field of `spec` of an AccessPolicy. */
import type { AccessPolicySpec, Report } from '@meshrelay/api';
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

/**
 * A field in a file of its own; `ACCESS_FIELD_VIEWS` lists them all. `Part` is what the field contributes
 * to an `AccessRuleView`, `Capability` the names of the capabilities that the field may need.
 */
export interface AccessField<Part, Capability extends string> {
  /** Its capabilities, each with the path in the policy that reports name. */
  readonly capabilities: Readonly<Record<Capability, string>>;
  /** Its part of a rule that admits no caller: an ALLOW without sources. */
  readonly closed: Part;
  /** Its part of the rule; undefined if it sets nothing. Reports on the policy go to `report`. */
  view(spec: AccessPolicySpec, context: AccessContext, report: (report: Report) => void): Part | undefined;
  /** True if the view of this policy depends on meshes other than through `AccessContext.domains`. */
  namesMeshes?(spec: AccessPolicySpec): boolean;
  /** Capabilities without which a mesh cannot apply the rule at all. */
  requires(rule: Part): readonly Capability[];
  /**
   * What a DENY rule leaves of an ALLOW rule, compared by this field alone. `none` for fields without conditions on
   * requests: core compares callers itself.
   */
  remaining(allow: Part, deny: Part): Remaining<Part>;
  /** Whether the rule has a condition on HTTP requests, which proxies can read on HTTP ports only. Omitted: no. */
  readsRequests?(rule: Part): boolean;
  /** Whether the rule applies to requests to a port of the pods. Omitted: yes. */
  appliesToPort?(rule: Part, port: number): boolean;
}
