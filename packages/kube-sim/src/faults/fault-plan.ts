/** The faults that are planned for a simulator, and what they have struck. */
import { type Fault, type FaultRule, matches, type RequestAttributes, WATCH_FAULTS } from './fault.ts';

/** A watch that runs, as faults see it. */
export interface RunningWatch {
  readonly request: RequestAttributes;
  /** Makes it suffer. */
  suffer(kind: Fault['kind']): void;
}

/** A rule in force. Disposing it takes it out of the plan. */
export interface PlannedFault extends Disposable {
  readonly id: number;
  readonly rule: FaultRule;
  /** Requests and watches it has struck. */
  readonly struck: number;
  /** Resolves when it is taken out of the plan. */
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

  /** Whether it strikes this request; counts that it does. */
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

  /** `revision` tells the store's newest. */
  constructor(revision: () => number) {
    this.#revision = revision;
  }

  /** Plans a fault. Faults of watches strike those that run at once. */
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

  /** Takes a fault out of the plan; false where there is none of that id. */
  remove(id: number): boolean {
    const planned = this.#planned.get(id);
    planned?.[Symbol.dispose]();
    return planned !== undefined;
  }

  /** Takes every fault out of the plan. */
  clear(): void {
    for (const planned of [...this.#planned.values()]) planned[Symbol.dispose]();
  }

  /** What is planned. */
  list(): readonly PlannedFault[] {
    return [...this.#planned.values()];
  }

  /** The faults that strike a request now, in their order; those of watches strike by {@link watching}. */
  strike(request: RequestAttributes): readonly PlannedFault[] {
    return [...this.#planned.values()].filter(
      (planned) => !WATCH_FAULTS.includes(planned.rule.fault.kind) && planned.strikes(request),
    );
  }

  /** A watch begins: it suffers what is planned for it, and what comes. Disposing the result says that it is over. */
  watching(watch: RunningWatch): Disposable {
    this.#watches.add(watch);
    for (const planned of this.#planned.values()) {
      const { fault } = planned.rule;
      if (WATCH_FAULTS.includes(fault.kind) && planned.strikes(watch.request)) watch.suffer(fault.kind);
    }
    return { [Symbol.dispose]: () => void this.#watches.delete(watch) };
  }
}
