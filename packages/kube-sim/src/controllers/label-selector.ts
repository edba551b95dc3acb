/** Matching labels against the selectors that objects carry. */
import type { KubeObject } from '../object.ts';

/** A `matchLabels`/`matchExpressions` selector; an empty one matches everything. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

type Labels = Readonly<Record<string, string>>;

/** True when the labels have every one of these values. */
export function hasLabels(wanted: Labels, labels: Labels | undefined): boolean {
  return Object.entries(wanted).every(([key, value]) => labels?.[key] === value);
}

/** True when the object's labels fulfil the selector. */
export function isSelected(selector: LabelSelector, { metadata: { labels = {} } }: KubeObject): boolean {
  if (!hasLabels(selector.matchLabels ?? {}, labels)) return false;
  return (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
    const value = labels[key];
    switch (operator) {
      case 'In':
        return value !== undefined && values.includes(value);
      case 'NotIn':
        return value === undefined || !values.includes(value);
      case 'Exists':
        return value !== undefined;
      default:
        return value === undefined;
    }
  });
}
