// spec.destinationSelector of an AccessPolicy
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { type DestinationSelector, destinationSelector as selector } from '../../shared/selector.ts';

/** Omitted or empty: every destination. */
export type AccessDestinationSelector = readonly DestinationSelector[];

export const destinationSelector: SpecField<AccessDestinationSelector> = {
  schema: list(selector),
  examples: [
    [{ kubeServiceRefs: { services: [{ name: 'books', namespace: 'shop', clusterName: 'cluster-1' }] } }],
    [
      {
        kubeServiceMatcher: {
          labels: { app: 'books' },
          namespaces: ['shop'],
          clusters: ['cluster-1'],
          expressions: [{ key: 'tier', operator: 'In', values: ['backend'] }],
        },
      },
    ],
  ],
};
