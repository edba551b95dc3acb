/** Which callers may call a destination. */
import type { PolicyRef } from '@meshrelay/api';

/**
 * The callers. An empty list of principals matches no caller. An ALLOW without callers rejects every request, for
 * example if the mesh does not support what the ALLOW allowed. `*` as the last character of a principal matches any
 * ending. Principals are `<trust domain>/ns/<ns>/sa/<name>`.
 */
export type AccessSources =
  | { readonly kind: 'principals'; readonly principals: readonly string[] }
  /** Every caller, authenticated or not. */
  | { readonly kind: 'anyone' };

export interface AccessRuleView {
  readonly action: 'ALLOW' | 'DENY' | 'AUDIT';
  readonly sources: AccessSources;
  /** `/exact`, `/prefix*`, `*suffix`; empty: any. */
  readonly paths: readonly string[];
  readonly methods: readonly string[];
  readonly ports: readonly number[];
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
