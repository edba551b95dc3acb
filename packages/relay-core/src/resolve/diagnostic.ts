/** Diagnostics: what resolve and translate report about a policy on a target. */
import type { PolicyRef, PolicyState, Report, ResourceRef } from '@meshrelay/api';
import { type Collection, type Key, key, partsOf } from '@meshrelay/plugin';
import type { Graph } from '../graph/collection.ts';

/** The kinds of object a policy acts on. */
export type TargetKind = 'Destination' | 'Mesh' | 'Workload';

/** One report of state about a policy. */
export interface Diagnostic {
  readonly policy: PolicyRef;
  readonly target: { readonly kind: TargetKind; readonly key: Key };
  readonly state: PolicyState;
  readonly reports: readonly Report[];
  /**
   * True if the nature of the target is the cause. A policy that selects the target only by a matcher then gets the
   * report as info.
   */
  readonly infoUnlessNamed?: boolean;
}

/** A target, as statuses and explanations name it. */
export function targetRef({ kind, key: target }: Diagnostic['target']): ResourceRef {
  const [cluster = '', namespace = '', name = ''] = partsOf(target);
  return { kind, cluster, namespace, name };
}

/** An accepted diagnostic without reports has no information, and is left out. */
export function says({ state, reports }: Pick<Diagnostic, 'state' | 'reports'>): boolean {
  return state !== 'ACCEPTED' || reports.length > 0;
}

/**
 * The key of a diagnostic in its collection; diagnostics of one policy on one target are reported in the order of these
 * keys.
 */
export function diagnosticKey(item: Key, position: number): Key {
  return key(item, orderText(position));
}

/** A position as text that sorts like the number. */
export function orderText(position: number): string {
  return String(position).padStart(4, '0');
}

/** Diagnostics of one node, any number for each of its items. */
export function collectDiagnostics<V>(
  graph: Graph,
  name: string,
  input: Collection<V>,
  diagnosticsOf: (value: V, key: Key) => Iterable<Diagnostic>,
): Collection<Diagnostic> {
  return graph.deriveMany(name, input, (value, _read, itemKey) =>
    [...diagnosticsOf(value, itemKey)]
      .filter(says)
      .map((diagnostic, position): readonly [Key, Diagnostic] => [diagnosticKey(itemKey, position), diagnostic]),
  );
}
