// VirtualDestination: one name for Services of several clusters, with an order in which they replace each other.
import type * as z from 'zod/mini';
import type { NETWORKING_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { list } from '../schema/collection.ts';
import { fieldsOf } from '../schema/field.ts';
import { object } from '../schema/object.ts';
import { exactlyOneOf } from '../schema/rule.ts';
import { name } from '../schema/scalar.ts';
import { type ClusterObjectRef, clusterObjectRef } from '../shared/ref.ts';
import { type PolicyStatus, policyStatusFields } from '../shared/status.ts';
import { VIRTUAL_DESTINATION_FIELDS, type VirtualDestinationSpec } from './virtual-destination/fields.ts';

/** Status of the spec, and the effective values for callers. */
export interface VirtualDestinationStatus extends PolicyStatus {
  /** The address of `spec.hostname` in every mesh; absent until it is assigned. */
  readonly address?: string;
  /** The first backend Services, in their order if it is fixed. */
  readonly selectedDestinations?: readonly ClusterObjectRef[];
}

/** One name for Services of several clusters that replace each other. */
export interface VirtualDestination extends KubeObject<VirtualDestinationSpec, VirtualDestinationStatus> {
  readonly apiVersion: typeof NETWORKING_API_VERSION;
  readonly kind: 'VirtualDestination';
}

/** Maximum number of Services in one status. */
export const MAX_SELECTED_DESTINATIONS = 20;

/** Schema of {@link VirtualDestinationSpec}. */
export const virtualDestinationSpec: z.ZodMiniType<VirtualDestinationSpec> = object<VirtualDestinationSpec>(
  'VirtualDestinationSpec',
  fieldsOf<VirtualDestinationSpec>(VIRTUAL_DESTINATION_FIELDS, { hostname: true, port: true }),
  [
    exactlyOneOf<VirtualDestinationSpec>('virtualMesh', 'meshList'),
    exactlyOneOf<VirtualDestinationSpec>('static', 'localized'),
  ],
);

/** Schema of {@link VirtualDestinationStatus}. */
export const virtualDestinationStatus: z.ZodMiniType<VirtualDestinationStatus> = object<VirtualDestinationStatus>(
  'VirtualDestinationStatus',
  {
    required: policyStatusFields.required,
    optional: {
      ...policyStatusFields.optional,
      address: name,
      selectedDestinations: list(clusterObjectRef, { maximum: MAX_SELECTED_DESTINATIONS }),
    },
  },
);
