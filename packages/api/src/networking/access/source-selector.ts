// spec.sourceSelector of an AccessPolicy
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { type IdentitySelector, identitySelector } from '../../shared/selector.ts';

/** The clients. Omitted, empty or `[{}]`: any authenticated identity of the virtual mesh. */
export type AccessSourceSelector = readonly IdentitySelector[];

export const sourceSelector: SpecField<AccessSourceSelector> = {
  schema: list(identitySelector),
  examples: [
    [{ kubeServiceAccountRefs: { serviceAccounts: [{ name: 'buyer', namespace: 'shop', clusterName: 'cluster-1' }] } }],
    [
      {
        kubeIdentityMatcher: {
          namespaces: ['shop'],
          clusters: ['cluster-1', 'cluster-2'],
          trustDomains: ['shop.example.com'],
        },
      },
    ],
  ],
};
