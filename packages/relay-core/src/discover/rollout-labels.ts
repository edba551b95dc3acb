/** The values of the labels that differ between the rollouts or the pods of one workload. */
import type { SubsetValues, ValueRange } from '@meshrelay/api';
import { LABELS_OF_A_POD, POD_NAME_LABEL } from '@meshrelay/plugin/host';
import type { Labels } from '../input/labels.ts';

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
    if (!LABELS_OF_A_POD.has(label)) return [label, { values: [...values].sort() }];
    const expected = ordinals.flatMap(({ name, from, count }): ValueRange[] =>
      count === 0 ? [] : [{ prefix: label === POD_NAME_LABEL ? `${name}-` : '', from, to: from + count - 1 }],
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
