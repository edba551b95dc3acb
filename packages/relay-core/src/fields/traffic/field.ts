/** What core does with one field of `spec.policy` of a TrafficPolicy. */
import type { ClusterObjectRef, ObjectRef, TrafficFieldName, TrafficRules } from '@meshrelay/api';

/** A Service, or a virtual destination, that receives requests by a policy. `field`: the path that reports name. */
export type NamedTarget =
  | { readonly field: string; readonly service: ClusterObjectRef }
  | { readonly field: string; readonly virtualDestination: ObjectRef };

/**
 * A field in a file of its own; `TRAFFIC_FIELD_VIEWS` lists them all. `F`: its name in the API. `Name`: its name in the
 * views. `View`: its value there. `Capability`: the names of its capabilities.
 */
interface TrafficFieldView<F extends TrafficFieldName, Name extends string, View, Capability extends string> {
  readonly viewName: Name;
  /** Its capabilities, each with the path in the policy that reports name. */
  readonly capabilities: Readonly<Record<Capability, string>>;
  /** True if an empty value sets nothing: it has no member with a default. */
  readonly emptyIsUnset?: boolean;
  /**
   * The value as views show it; undefined if it sets nothing. Absent if the view depends on the destinations that the
   * value names.
   */
  view?(value: NonNullable<TrafficRules[F]>): View | undefined;
  /** The targets that the value names. Omitted: none. */
  targets?(value: NonNullable<TrafficRules[F]>): readonly NamedTarget[];
  /** Capabilities without which a mesh cannot apply the value at all. */
  requires(view: View): readonly Capability[];
  /**
   * The value without the members that a mesh does not support; the same object if it supports all. Undefined if no
   * member is left.
   */
  reduce?(view: View, supports: (capability: Capability) => boolean): View | undefined;
}

/** A field that applies to the requests that a policy matches. */
export interface RequestField<F extends TrafficFieldName, Name extends string, View, Capability extends string>
  extends TrafficFieldView<F, Name, View, Capability> {
  readonly scope: 'requests';
}

/** A field that applies to all connections to a destination. */
export interface ConnectionField<F extends TrafficFieldName, Name extends string, View, Capability extends string>
  extends TrafficFieldView<F, Name, View, Capability> {
  readonly scope: 'connections';
}
