// AccessPolicy: which clients may send which requests to which destinations.
import type { z } from 'zod';
import type { NETWORKING_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { list } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { flag, method, oneOf, port, textLike } from '../schema/scalar.ts';
import {
  type DestinationSelector,
  destinationSelector,
  type IdentitySelector,
  identitySelector,
} from '../shared/selector.ts';
import type { PolicyStatus } from '../shared/status.ts';

/**
 * ALLOW admits matching requests, DENY rejects them, AUDIT logs the requests that ALLOW would reject and rejects none.
 */
export type AccessAction = 'ALLOW' | 'DENY' | 'AUDIT';

/** Which requests, from which sources, to which destinations. */
export interface AccessPolicySpec {
  /** Omitted, empty or `[{}]`: any authenticated identity of the virtual mesh. */
  readonly sourceSelector?: readonly IdentitySelector[];
  /** Omitted or empty: every destination. */
  readonly destinationSelector?: readonly DestinationSelector[];
  /** Omitted means ALLOW. */
  readonly action?: AccessAction;
  /** True: any client, even without an identity; only if no source is selected. */
  readonly unauthenticated?: boolean;
  /** `/exact`, `/prefix*` or `*suffix`; omitted or empty: any. A gRPC method is `/package.Service/Method`. */
  readonly allowedPaths?: readonly string[];
  /** Upper case; omitted or empty: any. */
  readonly allowedMethods?: readonly string[];
  /** Ports the workload listens on; omitted or empty: any. */
  readonly allowedPorts?: readonly number[];
  /** Paths that do not match, written like `allowedPaths`. */
  readonly notPaths?: readonly string[];
  /** Methods that do not match, upper case. */
  readonly notMethods?: readonly string[];
  /** Ports that do not match. */
  readonly notPorts?: readonly number[];
}

/** Allows or denies requests. */
export interface AccessPolicy extends KubeObject<AccessPolicySpec, PolicyStatus> {
  readonly apiVersion: typeof NETWORKING_API_VERSION;
  readonly kind: 'AccessPolicy';
}

const path: z.ZodType<string> = textLike({
  expected: 'a path such as /exact, /prefix* or *suffix, with at most one * at its start or end',
  pattern: /^(\/[^*]*\*?|\*[^*]*)$/,
  maxLength: 4096,
});

/** Schema of {@link AccessPolicySpec}. */
export const accessPolicySpec: z.ZodType<AccessPolicySpec> = object<AccessPolicySpec>(
  'AccessPolicySpec',
  {
    required: {},
    optional: {
      sourceSelector: list(identitySelector),
      destinationSelector: list(destinationSelector),
      action: oneOf('ALLOW', 'DENY', 'AUDIT'),
      unauthenticated: flag,
      allowedPaths: list(path),
      allowedMethods: list(method),
      allowedPorts: list(port),
      notPaths: list(path),
      notMethods: list(method),
      notPorts: list(port),
    },
  },
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
