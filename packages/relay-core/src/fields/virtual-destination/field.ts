/** What core does with one field of `spec` of a VirtualDestination. */
import type { VirtualDestinationView } from '../../plugin/views/virtual-destination.ts';

/**
 * A field in a file of its own; `VIRTUAL_DESTINATION_FIELD_VIEWS` lists them all. `Capability`: the names of its
 * capabilities.
 */
export interface VirtualDestinationField<Capability extends string> {
  /** Its capabilities, each with the path in the policy that reports name. */
  readonly capabilities: Readonly<Record<Capability, string>>;
  /** Capabilities without which a mesh cannot have the virtual destination at all. */
  requires?(view: VirtualDestinationView): readonly Capability[];
  /** Its part of the view without what a mesh does not support; undefined if it supports all. */
  reduce?(
    view: VirtualDestinationView,
    supports: (capability: Capability) => boolean,
  ): Partial<VirtualDestinationView> | undefined;
}
