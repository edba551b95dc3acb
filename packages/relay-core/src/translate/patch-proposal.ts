/** A requested patch of a user-owned object. */
import type { PolicyRef } from '@meshrelay/api';
import type { PatchRequest } from '@meshrelay/plugin';
import type { Diagnostic } from '../resolve/mod.ts';

/** A patch that one view requests, with the target of that view. */
export interface PatchProposal {
  readonly request: PatchRequest;
  /** The field of Settings that allows it. */
  readonly consent: string;
  readonly plugin: string;
  readonly sourcePolicies: readonly PolicyRef[];
  readonly target: Diagnostic['target'];
}
