/** Labels of Kubernetes objects. */

/** By name. */
export type Labels = Readonly<Record<string, string>>;

/** True if `labels` contains every required label with the required value. */
export function hasAll(labels: Labels, required: Labels): boolean {
  for (const name in required) if (labels[name] !== required[name]) return false;
  return true;
}
