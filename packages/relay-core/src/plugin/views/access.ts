/** Who may call a destination. */
import type { PolicyRef } from '@meshrelay/api';

/**
 * Who may call. No principal at all is nobody: an ALLOW of nobody is there to keep everybody out, as where the mesh cannot carry what it allowed. `*` as the last character of a principal stands for any ending. Principals are `<trust domain>/ns/<ns>/sa/<name>`.
 */
export type AccessSources =
  | { readonly kind: 'principals'; readonly principals: readonly string[] }
  /** Anyone at all, authenticated or not. */
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

/** A ServiceAccount of a destination that pods of other Services run under too. */
export interface SharedAccount {
  readonly serviceAccount: string;
  /** Some of those Services, by name: they are of the same namespace. */
  readonly services: readonly string[];
}
