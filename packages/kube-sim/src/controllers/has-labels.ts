/** Matching labels against the plain selectors of Services and pods. */

type Labels = Readonly<Record<string, string>>;

/** True when the labels have every one of these values. */
export function hasLabels(wanted: Labels, labels: Labels | undefined): boolean {
  return Object.entries(wanted).every(([key, value]) => labels?.[key] === value);
}
