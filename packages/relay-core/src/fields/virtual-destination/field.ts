/** What core does with one field of `spec` of a VirtualDestination. */
import type { DestinationSelector, VirtualDestinationPort, VirtualDestinationSpec } from '@meshrelay/api';
import type { OutlierDetectionView } from '../traffic/outlier-detection.ts';
import type { FailoverView } from '../views/failover.ts';

/** The members of a VirtualDestinationView that the spec alone defines. */
export interface VirtualDestinationSettings {
  /** The port that callers use. */
  readonly port: Pick<VirtualDestinationPort, 'number' | 'protocol'>;
  readonly failover: FailoverView;
  /** Without it no mesh would detect that it must fail over. */
  readonly outlierDetection: OutlierDetectionView;
}

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

/**
 * A field in a file of its own; `VIRTUAL_DESTINATION_FIELD_VIEWS` lists them all. `Capability`: the names of its
 * capabilities.
 */
export interface VirtualDestinationField<Capability extends string> {
  /** Its capabilities, each with the path in the policy that reports name. */
  readonly capabilities: Readonly<Record<Capability, string>>;
  /** Its part of the view; absent if that depends on meshes or Services. */
  view?(spec: VirtualDestinationSpec): Partial<VirtualDestinationSettings>;
  /** The Services, if the policy selects them by this field. */
  backends?(spec: VirtualDestinationSpec): Backends | undefined;
  /** Capabilities without which a mesh cannot have the virtual destination at all. */
  requires?(view: VirtualDestinationParts): readonly Capability[];
  /** Its part of the view without what a mesh does not support; undefined if it supports all. */
  reduce?(
    view: VirtualDestinationParts,
    supports: (capability: Capability) => boolean,
  ): Pick<VirtualDestinationParts, 'failover'> | undefined;
}
