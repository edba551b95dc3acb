// AccessPolicy: which clients may send which requests to which destinations.
import type * as z from 'zod/mini';
import type { NETWORKING_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { fieldsOf } from '../schema/field.ts';
import { object } from '../schema/object.ts';
import type { PolicyStatus } from '../shared/status.ts';
import { ACCESS_FIELDS, type AccessPolicySpec } from './access/fields.ts';

/** Allows or denies requests. */
export interface AccessPolicy extends KubeObject<AccessPolicySpec, PolicyStatus> {
  readonly apiVersion: typeof NETWORKING_API_VERSION;
  readonly kind: 'AccessPolicy';
}

/** Schema of {@link AccessPolicySpec}. */
export const accessPolicySpec: z.ZodMiniType<AccessPolicySpec> = object<AccessPolicySpec>(
  'AccessPolicySpec',
  fieldsOf<AccessPolicySpec>(ACCESS_FIELDS, {}),
  [
    {
      message: 'must not be true where sourceSelector selects identities; omit sourceSelector or unauthenticated',
      holds: ({ unauthenticated, sourceSelector = [] }) =>
        unauthenticated !== true || sourceSelector.every((item) => Object.keys(item).length === 0),
      cel:
        '!has(self.unauthenticated) || !self.unauthenticated || !has(self.sourceSelector) || ' +
        'self.sourceSelector.all(item, !has(item.kubeIdentityMatcher) && !has(item.kubeServiceAccountRefs))',
      field: 'unauthenticated',
    },
  ],
);
