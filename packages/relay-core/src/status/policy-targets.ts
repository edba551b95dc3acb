/** The targets of one policy: those with diagnostics, and the rest, which may be very many. */
import type { PolicyState, TargetStatus } from '@meshrelay/api';
import type { Key } from '@meshrelay/plugin';
import { targetRef } from '../resolve/mod.ts';
import { firstOf, firstOfSorted } from './first-of.ts';
import { compareTargets, partOf, type TargetShard, type TargetSummary, targetId, worse } from './reported-targets.ts';
import type { SelectedTargets } from './selected-targets.ts';

/** A selected target without diagnostics is ACCEPTED without reports. */
export class PolicyTargets {
  /** The number of targets. */
  readonly count: number;
  readonly #parts: readonly TargetShard[];
  readonly #summaries: readonly TargetSummary[];
  /** The number of targets with diagnostics. */
  readonly #reported: number;
  readonly #selected: SelectedTargets;

  /** @param parts may also contain targets that the policy does not select itself */
  constructor(parts: readonly TargetShard[], selected: SelectedTargets) {
    this.count = parts.reduce((sum, { others }) => sum + others, selected.count());
    this.#reported = parts.reduce((sum, { targets }) => sum + targets.length, 0);
    this.#parts = parts;
    const nothingElse =
      this.#reported === this.count && parts.every(({ ifNothingElse }) => ifNothingElse !== undefined);
    this.#summaries = parts.map(({ summary, ifNothingElse = summary }) => (nothingElse ? ifNothingElse : summary));
    this.#selected = selected;
  }

  get worstState(): PolicyState {
    return this.#summaries.reduce<PolicyState>((state, { worst }) => worse(state, worst), 'ACCEPTED');
  }

  /** Whether the policy has an effect on any of them. */
  get isEffectiveAnywhere(): boolean {
    return this.#reported < this.count || this.#summaries.some(({ isEffective }) => isEffective);
  }

  /** The first `max` targets: the worst, then by kind, cluster, namespace and name. */
  first(max: number): readonly TargetStatus[] {
    const reported = firstOfSorted(
      this.#summaries.map(({ first }) => first),
      max,
      compareTargets,
    );
    const notAccepted = reported.filter(({ state }) => state !== 'ACCEPTED').length;
    if (notAccepted === max || this.#reported === this.count) return reported;
    return firstOf([...reported, ...this.#untold(max - notAccepted)], max, compareTargets);
  }

  *#untold(max: number): Iterable<TargetStatus> {
    const { kind } = this.#selected;
    const known = new Map<number, ReadonlySet<Key>>();
    const isReported = (id: Key): boolean => {
      const number = partOf(id);
      const ids = known.get(number) ?? new Set(this.#parts.find((part) => part.number === number)?.targets);
      known.set(number, ids);
      return ids.has(id);
    };
    let left = max;
    for (const target of this.#selected.inOrder()) {
      if (isReported(targetId(kind, target))) continue;
      yield { ...targetRef({ kind, key: target }), state: 'ACCEPTED', reports: [] };
      left -= 1;
      if (left === 0) return;
    }
  }
}
