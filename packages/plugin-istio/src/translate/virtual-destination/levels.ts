/**
 * Failover levels in Istio's terms. `failoverPriority` lists labels; the first label that an endpoint does not share
 * with the caller determines its level, counted from the end. So n levels take n - 1 labels of Meshrelay. Callers and
 * pods never have such a label; generated endpoints have it where they must differ from them. If pods themselves must
 * differ, the entry requires a value.
 */

/** For generated endpoints; followed by the entry's number. Istio overwrites its own labels. */
const LABEL = 'meshrelay.dev/failover-';

export interface Levels {
  /** Empty if all endpoints have one level. */
  readonly failoverPriority: readonly string[];
  /** The labels that endpoints of a priority need. */
  labelsOf(priority: number): Readonly<Record<string, string>>;
}

/**
 * @param priorities of all groups, in any order; 0 is the best
 * @param ofPods priority of the group whose endpoints are pods, if any
 */
export function levels(priorities: readonly number[], ofPods: number | undefined): Levels {
  const order = [...new Set(priorities)].sort((a, b) => a - b);
  const podLevel = ofPods === undefined ? -1 : order.indexOf(ofPods);
  const entries = order.slice(1).map((_, index) => {
    const last = order.length - 2 - index;
    return { label: `${LABEL}${index + 1}`, last, asks: podLevel > last };
  });
  return {
    failoverPriority: entries.map(({ label, asks }) => (asks ? `${label}=before` : label)),
    labelsOf(priority) {
      const level = order.indexOf(priority);
      return Object.fromEntries(
        entries.flatMap(({ label, last, asks }) => {
          if (asks) return level <= last ? [[label, 'before']] : [];
          return level > last ? [[label, 'after']] : [];
        }),
      );
    },
  };
}
