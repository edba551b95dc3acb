/** Verdicts: what resolving and translating have to say about a policy on a target. */
import type { PolicyRef, PolicyState, Report, ResourceRef } from '@meshrelay/api';
import type { Collection, Graph } from '../graph/collection.ts';
import { type Key, key, partsOf } from '../graph/key.ts';

/** The kinds of object a policy acts on. */
export type TargetKind = 'Destination' | 'Mesh' | 'Workload';

/** One statement about a policy. */
export interface Diagnostic {
  readonly policy: PolicyRef;
  readonly target: { readonly kind: TargetKind; readonly key: Key };
  readonly state: PolicyState;
  readonly reports: readonly Report[];
  /** True where it is in the target's nature: a policy that only swept the target in is told in passing. */
  readonly infoUnlessNamed?: boolean;
}

/** A target, as statuses and explanations name it. */
export function targetRef({ kind, key: target }: Diagnostic['target']): ResourceRef {
  const [cluster = '', namespace = '', name = ''] = partsOf(target);
  return { kind, cluster, namespace, name };
}

/** An accepted verdict without reports says nothing, and is left out. */
export function says({ state, reports }: Pick<Diagnostic, 'state' | 'reports'>): boolean {
  return state !== 'ACCEPTED' || reports.length > 0;
}

/** The key of a verdict in its collection; what one policy is told of one target comes in the order of these. */
export function diagnosticKey(item: Key, position: number): Key {
  return key(item, orderText(position));
}

/** A position as text that sorts as the number does. */
export function orderText(position: number): string {
  return String(position).padStart(4, '0');
}

/** Verdicts of one node, from any number of its items. */
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
