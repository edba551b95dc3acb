/** Which callers may call a destination. */
import type { AccessAction, PolicyRef } from '@meshrelay/api';

/**
 * The callers. An empty list of principals matches no caller. An ALLOW without callers rejects every request, for
 * example if the mesh does not support what the ALLOW allowed. `*` as the last character of a principal matches any
 * ending. Principals are `<trust domain>/ns/<ns>/sa/<name>`.
 */
export type AccessSources =
  | { readonly kind: 'principals'; readonly principals: readonly string[] }
  /** Every caller, authenticated or not. */
  | { readonly kind: 'anyone' };

/** One AccessPolicy for one destination. */
export interface AccessRuleView {
  readonly action: AccessAction;
  readonly sources: AccessSources;
  /** `/exact`, `/prefix*`, `*suffix`; empty: any. */
  readonly paths: readonly string[];
  /** Empty: any. */
  readonly methods: readonly string[];
  /** Empty: any. */
  readonly ports: readonly number[];
  /** Written like `paths`. */
  readonly notPaths: readonly string[];
  readonly notMethods: readonly string[];
  readonly notPorts: readonly number[];
  readonly from: readonly PolicyRef[];
}

/** A ServiceAccount of a destination that pods of other Services also run under. */
export interface SharedAccount {
  readonly serviceAccount: string;
  /** Some of those Services, by name: they are in the same namespace. */
  readonly services: readonly string[];
}
