/** What decides which connections the pods of a destination accept. */
import type { PolicyRef } from '@meshrelay/api';
import type { PresentView } from './mesh.ts';

export interface InboundView {
  /** User-owned objects that decide it (`MeshPlugin.inboundRules`). */
  readonly present: readonly PresentView[];
  /**
   * The labels that all pods of a workload have, for each workload of the Service; empty if none is known, or if
   * `present` is empty.
   */
  readonly podLabels: ReadonlyArray<Readonly<Record<string, string>>>;
  /** The virtual mesh that requires mutual TLS of all callers in the destination's mesh. */
  readonly strictMtls?: PolicyRef;
}
