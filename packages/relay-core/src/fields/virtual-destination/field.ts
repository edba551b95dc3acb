/** What core does with one field of `spec` of a VirtualDestination. */
import type { FailoverView } from '../views/failover.ts';

/** The members of a VirtualDestinationView that the fields set. */
export interface VirtualDestinationParts {
  readonly failover: FailoverView;
  readonly sameHostname?: object;
}

/**
 * A field in a file of its own; `VIRTUAL_DESTINATION_FIELD_VIEWS` lists them all. `Capability`: the names of its
 * capabilities.
 */
export interface VirtualDestinationField<Capability extends string> {
  /** Its capabilities, each with the path in the policy that reports name. */
  readonly capabilities: Readonly<Record<Capability, string>>;
  /** Capabilities without which a mesh cannot have the virtual destination at all. */
  requires?(view: VirtualDestinationParts): readonly Capability[];
  /** Its part of the view without what a mesh does not support; undefined if it supports all. */
  reduce?(
    view: VirtualDestinationParts,
    supports: (capability: Capability) => boolean,
  ): Pick<VirtualDestinationParts, 'failover'> | undefined;
}
