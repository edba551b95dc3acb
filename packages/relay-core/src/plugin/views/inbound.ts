/** What decides which connections the pods behind a destination take. */
import type { PolicyRef } from '@meshrelay/api';
import type { PresentView } from './mesh.ts';

export interface InboundView {
  /** Users' objects that say so (`MeshPlugin.inboundRules`). */
  readonly present: readonly PresentView[];
  /** The labels that all pods of a workload have, for each workload behind the Service; empty where none is known, or `present` is. */
  readonly podLabels: ReadonlyArray<Readonly<Record<string, string>>>;
  /** The virtual mesh that demands mutual TLS of all callers in the destination's mesh. */
  readonly strictMtls?: PolicyRef;
}
