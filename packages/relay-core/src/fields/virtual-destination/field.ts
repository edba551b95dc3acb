/** What core does with one field of `spec` of a VirtualDestination. */
import type { DestinationSelector, VirtualDestinationFieldName, VirtualDestinationSpec } from '@meshrelay/api';
import type { VirtualDestinationCapabilitiesOf, VirtualDestinationSettings } from '@meshrelay/plugin';

/** The members of a VirtualDestinationView that the fields set. */
export interface VirtualDestinationParts extends Pick<VirtualDestinationSettings, 'failover'> {
  readonly sameHostname?: object;
}

/** The Services behind a virtual destination. */
export interface Backends {
  /** The path in the policy that reports name. */
  readonly field: string;
  readonly selectors: readonly DestinationSelector[];
  /** The priority of a selected Service, 0 is the highest. */
  priorityOf(service: ServiceName): number;
}

export interface ServiceName {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
}

/** A field in a file of its own; `VIRTUAL_DESTINATION_FIELD_VIEWS` lists them all. `F`: its name in the API. */
export interface VirtualDestinationField<F extends VirtualDestinationFieldName> {
  /** Its capabilities, each with the path in the policy that reports name. */
  readonly capabilities: Readonly<Record<VirtualDestinationCapabilitiesOf<F>, string>>;
  /** Its part of the view; absent if that depends on meshes or Services. */
  view?(spec: VirtualDestinationSpec): Partial<VirtualDestinationSettings>;
  /** The Services, if the policy selects them by this field. */
  backends?(spec: VirtualDestinationSpec): Backends | undefined;
  /** Capabilities without which a mesh cannot have the virtual destination at all. */
  requires?(view: VirtualDestinationParts): ReadonlyArray<VirtualDestinationCapabilitiesOf<F>>;
  /** Its part of the view without what a mesh does not support; undefined if it supports all. */
  reduce?(
    view: VirtualDestinationParts,
    supports: (capability: VirtualDestinationCapabilitiesOf<F>) => boolean,
  ): Pick<VirtualDestinationParts, 'failover'> | undefined;
}
