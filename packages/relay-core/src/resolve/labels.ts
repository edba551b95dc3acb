/** Labels of Kubernetes objects. */

/** By name. */
export type Labels = Readonly<Record<string, string>>;

/** True where something has every one of the wanted labels, with the wanted value. */
export function hasAll(labels: Labels, wanted: Labels): boolean {
  for (const name in wanted) if (labels[name] !== wanted[name]) return false;
  return true;
}
