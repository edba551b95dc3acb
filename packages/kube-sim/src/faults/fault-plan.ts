/** The planned faults of a simulator, and their hits. */
import { type Fault, type FaultRule, matches, type RequestAttributes, WATCH_FAULTS } from './fault.ts';

/** A running watch, as faults see it. */
export interface RunningWatch {
  readonly request: RequestAttributes;
  /** Applies a fault to it. */
  suffer(kind: Fault['kind']): void;
}

/** A planned rule. Disposing it removes it from the plan. */
export interface PlannedFault extends Disposable {
  readonly id: number;
  readonly rule: FaultRule;
  /** Number of requests and watches it was applied to. */
  readonly struck: number;
  /** Resolves when it is removed from the plan. */
  readonly lifted: Promise<void>;
}

class Planned implements PlannedFault {
  readonly id: number;
  readonly rule: FaultRule;
  struck = 0;
  #passed = 0;
  readonly #lift = Promise.withResolvers<void>();
  readonly #end: () => void;

  constructor(id: number, rule: FaultRule, end: () => void) {
    this.id = id;
    this.rule = rule;
    this.#end = end;
  }

  get lifted(): Promise<void> {
    return this.#lift.promise;
  }

  /** Whether it applies to this request; counts the request if so. */
  strikes(request: RequestAttributes): boolean {
    const { match, fault, after = 0, times = Number.POSITIVE_INFINITY } = this.rule;
    if (this.struck >= times || !matches(match, request)) return false;
    if (WATCH_FAULTS.includes(fault.kind) && request.verb !== 'watch') return false;
    if (this.#passed < after) {
      this.#passed++;
      return false;
    }
    this.struck++;
    return true;
  }

  [Symbol.dispose](): void {
    this.#end();
    this.#lift.resolve();
  }
}

/** Faults in the order in which they were added. */
export class FaultPlan {
  readonly #revision: () => number;
  readonly #planned = new Map<number, Planned>();
  readonly #watches = new Set<RunningWatch>();
  #lastId = 0;

  /** `revision` returns the store's newest revision. */
  constructor(revision: () => number) {
    this.#revision = revision;
  }

  /** Plans a fault. Faults of watches apply to running ones at once. */
  add(rule: FaultRule): PlannedFault {
    const id = ++this.#lastId;
    const { fault } = rule;
    const fixed: Fault = fault.kind === 'stale' ? { revision: this.#revision(), ...fault } : fault;
    const planned = new Planned(id, { ...rule, fault: fixed }, () => void this.#planned.delete(id));
    this.#planned.set(id, planned);
    if (WATCH_FAULTS.includes(fault.kind)) {
      for (const watch of [...this.#watches]) if (planned.strikes(watch.request)) watch.suffer(fault.kind);
    }
    return planned;
  }

  /** Removes a fault from the plan; false for an unknown id. */
  remove(id: number): boolean {
    const planned = this.#planned.get(id);
    planned?.[Symbol.dispose]();
    return planned !== undefined;
  }

  /** Removes every fault from the plan. */
  clear(): void {
    for (const planned of [...this.#planned.values()]) planned[Symbol.dispose]();
  }

  /** The planned faults. */
  list(): readonly PlannedFault[] {
    return [...this.#planned.values()];
  }

  /** The faults that apply to a request now, in order; those of watches apply by {@link watching}. */
  strike(request: RequestAttributes): readonly PlannedFault[] {
    return [...this.#planned.values()].filter(
      (planned) => !WATCH_FAULTS.includes(planned.rule.fault.kind) && planned.strikes(request),
    );
  }

  /** A watch begins: present and later faults of watches apply to it. Disposing the result reports its end. */
  watching(watch: RunningWatch): Disposable {
    this.#watches.add(watch);
    for (const planned of this.#planned.values()) {
      const { fault } = planned.rule;
      if (WATCH_FAULTS.includes(fault.kind) && planned.strikes(watch.request)) watch.suffer(fault.kind);
    }
    return { [Symbol.dispose]: () => void this.#watches.delete(watch) };
  }
}
