/** What core does with one field of `spec` of an AccessPolicy. */

/**
 * A field in a file of its own; `ACCESS_FIELD_VIEWS` lists them all. `Part`: its part of a rule of the views.
 * `Capability`: the names of its capabilities.
 */
export interface AccessField<Part, Capability extends string> {
  /** Its capabilities, each with the path in the policy that reports name. */
  readonly capabilities: Readonly<Record<Capability, string>>;
  /** Its part of an ALLOW without callers. */
  readonly closed: Part;
  /** Capabilities without which a mesh cannot apply the rule at all. */
  requires(rule: Part): readonly Capability[];
}
