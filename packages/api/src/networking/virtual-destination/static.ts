// spec.static of a VirtualDestination
import type * as z from 'zod/mini';
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { object } from '../../schema/object.ts';
import { type ClusterObjectRef, clusterObjectRef } from '../../shared/ref.ts';

/** A backend Service. */
export interface StaticDestination {
  readonly kubeService: ClusterObjectRef;
}

/**
 * Services in a fixed order: callers use the first healthy one, wherever they are. Omitted: `localized` selects the
 * Services.
 */
export interface StaticFailover {
  /** Best first, at most one per cluster. */
  readonly destinations: readonly StaticDestination[];
}

const staticDestination: z.ZodMiniType<StaticDestination> = object<StaticDestination>('StaticDestination', {
  required: { kubeService: clusterObjectRef },
  optional: {},
});

/** `static` is a reserved word. */
export const staticFailover: SpecField<StaticFailover> = {
  schema: object<StaticFailover>('StaticFailover', {
    required: { destinations: list(staticDestination, { minimum: 1 }) },
    optional: {},
  }),
  examples: [
    {
      destinations: [
        { kubeService: { name: 'books', namespace: 'shop', clusterName: 'cluster-1' } },
        { kubeService: { name: 'books', namespace: 'shop', clusterName: 'cluster-2' } },
      ],
    },
  ],
};
