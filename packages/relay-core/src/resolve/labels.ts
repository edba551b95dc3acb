/** Labels of Kubernetes objects. */

/** By name. */
export type Labels = Readonly<Record<string, string>>;

/** True where something has every one of the wanted labels, with the wanted value. */
export function hasAll(labels: Labels, required: Labels): boolean {
  for (const name in required) if (labels[name] !== required[name]) return false;
  return true;
}
