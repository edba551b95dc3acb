/** Pending tasks, soonest first; tasks of one moment in the order in which they were scheduled. */

/** @typeParam Owner a process */
export interface Task<Owner = unknown> {
  /** Simulated milliseconds. */
  time: number;
  order: number;
  /**
   * The process that owns it: it runs in that process's context, and not at all after its death. Undefined: the
   * simulation itself.
   */
  readonly owner: Owner | undefined;
  readonly run: () => void;
  /** It waits for its process's own clock, which may stand still. */
  readonly timer: boolean;
  /** How long its process had been suspended when it was scheduled. */
  suspended: number;
  cancelled: boolean;
}

/** A binary heap. */
export class TaskQueue<Owner = unknown> {
  readonly #heap: Task<Owner>[] = [];

  get size(): number {
    return this.#heap.length;
  }

  push(task: Task<Owner>): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(task);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(task, heap[parent] as Task<Owner>)) break;
      heap[at] = heap[parent] as Task<Owner>;
      at = parent;
    }
    heap[at] = task;
  }

  peek(): Task<Owner> | undefined {
    return this.#heap[0];
  }

  pop(): Task<Owner> | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Task<Owner>, heap[child] as Task<Owner>)) child++;
      if (!isBefore(heap[child] as Task<Owner>, last)) break;
      heap[at] = heap[child] as Task<Owner>;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: Task, b: Task): boolean {
  return a.time < b.time || (a.time === b.time && a.order < b.order);
}
