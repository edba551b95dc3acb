/** What core does with one field of `spec` of an AccessPolicy. */

/**
 * A field in a file of its own; `ACCESS_FIELD_VIEWS` lists them all. `Part` is what the field contributes
 * to an `AccessRuleView`, `Capability` the names of the capabilities that the field may need.
 */
export interface AccessField<Part, Capability extends string> {
  /** Its capabilities, each with the path in the policy that reports name. */
  readonly capabilities: Readonly<Record<Capability, string>>;
  /** Its part of a rule that admits no caller: an ALLOW without sources. */
  readonly closed: Part;
  /** Capabilities without which a mesh cannot apply the rule at all. */
  requires(rule: Part): readonly Capability[];
}
