/**
 * Labels that differ between the rollouts or the pods of one workload. A workload has none of them; its Service lists
 * their values.
 */
import type { SubsetValues, ValueRange } from '@meshrelay/api';
import type { Labels } from '../input/labels.ts';

/**
 * Set from the pod template's revision, or from labels that the sidecar injector derives from it: few values for each
 * workload.
 */
const OF_A_ROLLOUT = new Set([
  'pod-template-hash',
  'controller-revision-hash',
  'pod-template-generation',
  'service.istio.io/canonical-revision',
  'service.istio.io/canonical-name',
]);

const POD_NAME = 'statefulset.kubernetes.io/pod-name';
const POD_INDEX = 'apps.kubernetes.io/pod-index';
/** One value for each pod, which ends in the pod's ordinal. */
const OF_A_POD = new Set([POD_NAME, POD_INDEX]);

/** Whether workloads and endpoints are listed without this label. */
export function isRolloutLabel(name: string): boolean {
  return OF_A_ROLLOUT.has(name) || OF_A_POD.has(name);
}

/** The rollout labels among the labels of a subset, sorted. */
export function rolloutLabelsIn(subset: Labels): string[] {
  return Object.keys(subset).filter(isRolloutLabel).sort();
}

/** The ordinals that a StatefulSet gives to its pods. */
export interface Ordinals {
  readonly name: string;
  readonly from: number;
  readonly count: number;
}

/**
 * The values of each rollout label. Those of single pods are ranges, so that ten thousand pods need one entry.
 * @param ordinals of the StatefulSets of the Service: their values stay while a pod is replaced
 */
export function rolloutValues(
  pods: ReadonlyArray<{ readonly rolloutLabels: Labels }>,
  ordinals: readonly Ordinals[],
): Array<readonly [label: string, values: SubsetValues]> {
  const found = new Map<string, Set<string>>();
  for (const { rolloutLabels } of pods) {
    for (const [label, value] of Object.entries(rolloutLabels))
      found.set(label, (found.get(label) ?? new Set()).add(value));
  }
  return [...found].map(([label, values]) => {
    if (!OF_A_POD.has(label)) return [label, { values: [...values].sort() }];
    const expected = ordinals.flatMap(({ name, from, count }): ValueRange[] =>
      count === 0 ? [] : [{ prefix: label === POD_NAME ? `${name}-` : '', from, to: from + count - 1 }],
    );
    return [label, inRanges(values, expected)];
  });
}

/** Every value that ends in a number as a part of a range; the others unchanged. */
function inRanges(values: ReadonlySet<string>, expected: readonly ValueRange[]): SubsetValues {
  const ranges = [...expected];
  const others: string[] = [];
  for (const value of values) {
    const [, prefix, digits] = /^(.*?)(0|[1-9]\d{0,8})$/.exec(value) ?? [];
    if (prefix === undefined || digits === undefined) others.push(value);
    else ranges.push({ prefix, from: Number(digits), to: Number(digits) });
  }
  const merged = joinRanges(ranges);
  return { values: others.sort(), ...(merged.length === 0 ? {} : { ranges: merged }) };
}

function joinRanges(ranges: readonly ValueRange[]): ValueRange[] {
  const sorted = ranges.toSorted((a, b) => (a.prefix === b.prefix ? a.from - b.from : a.prefix < b.prefix ? -1 : 1));
  const resolveContext: ValueRange[] = [];
  for (const range of sorted) {
    const last = resolveContext.at(-1);
    if (last === undefined || last.prefix !== range.prefix || range.from > last.to + 1) resolveContext.push(range);
    else resolveContext[resolveContext.length - 1] = { ...last, to: Math.max(last.to, range.to) };
  }
  return resolveContext;
}
