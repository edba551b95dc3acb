/** The permissions of an account, by where they apply. */
import type { ResourceKind } from '@meshrelay/plugin';
import type { RbacRule } from './rbac-rule.ts';

export interface Rights {
  /** In all namespaces. */
  readonly cluster: readonly RbacRule[];
  /** In the account's own namespace. */
  readonly namespace: readonly RbacRule[];
  /** In other namespaces. */
  readonly otherClusters: readonly OtherRbac[];
  /** Limits that RBAC cannot set by name, since an object has no name yet when it is created. */
  readonly creates: CreateLimits;
  /** Kinds of which it writes only objects with the owner label. */
  readonly writes: readonly ResourceKind[];
}

export interface OtherRbac {
  readonly namespace: string;
  /** The suffix of the Role's name. */
  readonly purpose: string;
  readonly rules: readonly RbacRule[];
}

/** Names of objects that may be created. */
export interface CreateLimits {
  readonly secrets: {
    /** In the account's own namespace; `any`: any name. */
    readonly own: readonly string[] | 'any';
    readonly otherClusters: readonly string[];
  };
  readonly configMaps: readonly string[];
  readonly leases: readonly string[];
}
