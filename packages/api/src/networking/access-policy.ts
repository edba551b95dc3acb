// AccessPolicy: who may send which requests where.
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

/** ALLOW lets matching requests in, DENY refuses them, AUDIT logs what ALLOW would refuse and refuses nothing. */
export type AccessAction = 'ALLOW' | 'DENY' | 'AUDIT';

/** Which requests, from whom, to what. */
export interface AccessPolicySpec {
  /** Omitted, empty or `[{}]`: any authenticated identity of the virtual mesh. */
  readonly sourceSelector?: readonly IdentitySelector[];
  /** Omitted or empty: every destination. */
  readonly destinationSelector?: readonly DestinationSelector[];
  /** Omitted means ALLOW. */
  readonly action?: AccessAction;
  /** True: anyone at all, without an identity; only where no source is selected. */
  readonly unauthenticated?: boolean;
  /** `/exact`, `/prefix*` or `*suffix`; omitted or empty: any. A gRPC method is `/package.Service/Method`. */
  readonly allowedPaths?: readonly string[];
  /** Upper case; omitted or empty: any. */
  readonly allowedMethods?: readonly string[];
  /** Ports the workload listens on; omitted or empty: any. */
  readonly allowedPorts?: readonly number[];
  /** Paths that do not match, written as `allowedPaths`. */
  readonly notPaths?: readonly string[];
  /** Methods that do not match, upper case. */
  readonly notMethods?: readonly string[];
  /** Ports that do not match. */
  readonly notPorts?: readonly number[];
}

/** Permission, or refusal, of requests. */
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
