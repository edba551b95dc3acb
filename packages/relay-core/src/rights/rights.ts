/** What an account may do, wherever it may do it. */
import type { ResourceKind } from '../input/resource-kind.ts';
import type { RbacRule } from './rbac-rule.ts';

export interface Rights {
  /** Over all namespaces. */
  readonly cluster: readonly RbacRule[];
  /** In the account's own namespace. */
  readonly namespace: readonly RbacRule[];
  /** In namespaces of others. */
  readonly otherClusters: readonly OtherRbac[];
  /** What RBAC cannot keep to names, since an object that is made has none yet. */
  readonly creates: CreateLimits;
  /** Kinds of which it writes only objects with our owner label. */
  readonly writes: readonly ResourceKind[];
}

export interface OtherRbac {
  readonly namespace: string;
  /** The end of the Role's name. */
  readonly purpose: string;
  readonly rules: readonly RbacRule[];
}

/** Names of what may be made. */
export interface CreateLimits {
  readonly secrets: {
    /** In the account's own namespace; `any`: whatever the name. */
    readonly own: readonly string[] | 'any';
    readonly otherClusters: readonly string[];
  };
  readonly configMaps: readonly string[];
  readonly leases: readonly string[];
}
