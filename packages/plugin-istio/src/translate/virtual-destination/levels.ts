/**
 * Levels of failover as Istio takes them. `failoverPriority` lists labels; an endpoint's level is how far from the end the first of them is
 * that it does not share with the caller, so n levels take n - 1 labels of our own. Callers never have such a label, nor have pods: on what
 * is written here it stands where an endpoint must differ from them. Where pods themselves must differ, the entry asks for a value.
 */

/** Of endpoints that we write; the entry's number follows. Istio's own labels would be overwritten by it. */
const LABEL = 'meshrelay.dev/failover-';

export interface Levels {
  /** Empty where all are of one level. */
  readonly failoverPriority: readonly string[];
  /** The labels that endpoints of a priority need. */
  labelsOf(priority: number): Readonly<Record<string, string>>;
}

/** @param priorities of all groups, in any order; 0 the best @param ofPods that of the group whose endpoints are pods, if there is one */
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
