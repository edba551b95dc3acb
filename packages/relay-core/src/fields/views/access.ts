/** Which callers may call a destination. */
import type { PolicyRef } from '@meshrelay/api';
import type { AccessRuleParts } from '../access/mod.ts';

export interface AccessRuleView extends AccessRuleParts {
  readonly from: readonly PolicyRef[];
}

/** A ServiceAccount of a destination that pods of other Services also run under. */
export interface SharedAccount {
  readonly serviceAccount: string;
  /** Some of those Services, by name: they are in the same namespace. */
  readonly services: readonly string[];
}
