/** Probes: each tests through policies whether a mesh supports one field of the views. */
import type { ViewField } from '@meshrelay/plugin';
import type { PolicySpec } from '../fleet/policy-object.ts';

/** Policies of two fleets that differ in one field of the views. */
export interface Probe {
  /** Policies that request the field. */
  readonly asks: readonly PolicySpec[];
  /**
   * The same without the field. A mesh that supports the field has different outputs for the two. Omitted: no policy.
   */
  readonly without?: readonly PolicySpec[];
  /** Policies with the outputs expected from a mesh that does not support the field; omitted: as `without`. */
  readonly refused?: readonly PolicySpec[];
  /**
   * The component of Meshrelay that supports the field, if objects of the mesh do not. Outputs need not differ then.
   */
  readonly supportedBy?: string;
}

/** The fields whose names begin with this word. A group must have a probe for each, or it does not compile. */
export type FieldsOf<Group extends string> = Extract<ViewField, `${Group}.${string}`>;

/** A probe for each field of a group. */
export type Probes<Group extends string> = Readonly<Record<FieldsOf<Group>, Probe>>;

/** The probes for each capability of a group: one for each field of the policy that needs it. */
export type GroupProbes<Group extends string> = Readonly<Record<FieldsOf<Group>, readonly Probe[]>>;

/** The probes of all fields of a table, in the order of the table. */
export function probesOf<Group extends string>(
  fields: Readonly<Record<string, { readonly probes: Readonly<Record<string, Probe>> }>>,
): GroupProbes<Group> {
  const probes: Record<string, readonly Probe[]> = {};
  for (const field of Object.values(fields))
    for (const [capability, probe] of Object.entries(field.probes))
      probes[capability] = [...(probes[capability] ?? []), probe];
  return probes as GroupProbes<Group>;
}

/** Placeholder for any `spec.policy` of a TrafficPolicy: the kit inserts a rule that the mesh supports. */
export const ANY_RULES: Readonly<Record<string, unknown>> = { anyRules: true };

/** The destination of all probes, in {@link probeFleet}. */
const BOOKS = [{ kubeServiceRefs: { services: [{ name: 'books', namespace: 'shop', clusterName: 'cluster-1' }] } }];

/** A TrafficPolicy for the destination. */
export function traffic(spec: Readonly<Record<string, unknown>>): PolicySpec {
  return { TrafficPolicy: 'probe', spec: { destinationSelector: BOOKS, ...spec } };
}

/** A caller by name: the one kind of identity that every mesh with access policies supports. */
const BUYER: readonly object[] = [
  { kubeServiceAccountRefs: { serviceAccounts: [{ name: 'buyer', namespace: 'shop', clusterName: 'cluster-1' }] } },
];

/** An AccessPolicy for the destination; the caller is {@link BUYER} unless `spec` sets another. */
export function access(spec: Readonly<Record<string, unknown>>): PolicySpec {
  return { AccessPolicy: 'probe-access', spec: { destinationSelector: BOOKS, sourceSelector: BUYER, ...spec } };
}

/** An AccessLogRecord for the workloads of the destination. */
export function accessLog(spec: Readonly<Record<string, unknown>>): PolicySpec {
  const workloadSelectors = [{ kubeWorkloadMatcher: { labels: { app: 'books' }, clusters: ['cluster-1'] } }];
  return { AccessLogRecord: 'probe-log', spec: { workloadSelectors, ...spec } };
}

/** A WasmDeployment of one filter for the workloads of the destination. */
export function wasm(filter: Readonly<Record<string, unknown>>): PolicySpec {
  const workloadSelectors = [{ kubeWorkloadMatcher: { labels: { app: 'books' }, clusters: ['cluster-1'] } }];
  return { WasmDeployment: 'probe-wasm', spec: { workloadSelectors, filters: [filter] } };
}

/** The name of the VirtualDestination in probes. */
export const PROBE_NAME = 'probe-name';

/** The name of the VirtualMesh of all meshes. */
export const PROBE_MESH = 'probe-mesh';

/**
 * A VirtualDestination in a fixed order of both clusters, for all members of {@link virtualMesh}; `spec` replaces
 * fields.
 */
export function virtualDestination({ localized, ...spec }: Readonly<Record<string, unknown>>): PolicySpec {
  const destinations = ['cluster-1', 'cluster-2'].map((clusterName) => ({
    kubeService: { name: 'books', namespace: 'shop', clusterName },
  }));
  return {
    VirtualDestination: PROBE_NAME,
    spec: {
      hostname: 'books.anywhere',
      port: { number: 80, protocol: 'HTTP' },
      virtualMesh: { name: PROBE_MESH, namespace: 'meshrelay' },
      ...(localized === undefined ? { static: { destinations } } : { localized }),
      ...spec,
    },
  };
}

/** A VirtualMesh of all meshes. */
export function virtualMesh(spec: Readonly<Record<string, unknown>>): PolicySpec {
  return { VirtualMesh: PROBE_MESH, spec };
}
