/** Matching labels against the plain selectors of Services and pods. */

type Labels = Readonly<Record<string, string>>;

/** True if the labels have every one of these values. */
export function hasLabels(requested: Labels, labels: Labels | undefined): boolean {
  return Object.entries(requested).every(([key, value]) => labels?.[key] === value);
}
