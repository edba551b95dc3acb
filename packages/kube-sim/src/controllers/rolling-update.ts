/** Pod counts for each generation of a Deployment at the next step of a rollout. Pure. */

/** Target of a rollout, and the allowed deviation during it. */
export interface RolloutTarget {
  readonly desired: number;
  /** `Recreate`: all old pods are deleted before the first new one is created. */
  readonly strategy: 'Recreate' | 'RollingUpdate';
  /** Pods above `desired`: a number, or a percentage of it rounded up. */
  readonly maxSurge: number | string;
  /** Pods missing from `desired`: a number, or a percentage of it rounded down. */
  readonly maxUnavailable: number | string;
}

/** One generation: its desired, current and ready number of pods. */
export interface Generation {
  readonly replicas: number;
  readonly existing: number;
  readonly available: number;
}

/** The next step: replicas of the current generation and of each old one, in the given order. */
export interface RolloutStep {
  readonly current: number;
  readonly old: readonly number[];
}

/** The next step of a rollout; the given numbers once it is complete. Old generations are given oldest first. */
export function nextStep(target: RolloutTarget, current: Generation, old: readonly Generation[]): RolloutStep {
  return target.strategy === 'Recreate' ? recreate(target, old) : roll(target, current, old);
}

function recreate({ desired }: RolloutTarget, old: readonly Generation[]): RolloutStep {
  const gone = old.every(({ replicas, existing }) => replicas === 0 && existing === 0);
  return { current: gone ? desired : 0, old: old.map(() => 0) };
}

function roll(target: RolloutTarget, current: Generation, old: readonly Generation[]): RolloutStep {
  const { desired } = target;
  const surge = amount(target.maxSurge, desired, Math.ceil);
  const unavailable = amount(target.maxUnavailable, desired, Math.floor) || (surge === 0 ? 1 : 0);
  const total = sum([current, ...old], ({ replicas }) => replicas);
  const room = Math.max(0, desired + surge - total);
  const next = current.replicas >= desired ? desired : current.replicas + Math.min(room, desired - current.replicas);

  const requested = Math.min(current.replicas, desired);
  const minimum = Math.max(0, desired - Math.min(unavailable, desired));
  const missing = Math.max(0, requested - current.available);
  let surplus = Math.max(0, sum(old, ({ replicas }) => replicas) + requested - minimum - missing);
  const left = old.map(({ replicas }) => {
    const cut = Math.min(replicas, surplus);
    surplus -= cut;
    return replicas - cut;
  });
  return { current: next, old: left };
}

function amount(value: number | string, desired: number, round: (value: number) => number): number {
  return typeof value === 'number' ? value : round((Number.parseInt(value, 10) / 100) * desired);
}

function sum(generations: readonly Generation[], of: (generation: Generation) => number): number {
  return generations.reduce((total, generation) => total + of(generation), 0);
}
