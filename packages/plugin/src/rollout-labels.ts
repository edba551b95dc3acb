/**
 * Labels that differ between the rollouts or the pods of one workload. A workload has none of them; its Service lists
 * their values.
 */

/**
 * Set from the pod template's revision, or from labels that the sidecar injector derives from it: few values for each
 * workload.
 */
const OF_A_ROLLOUT: ReadonlySet<string> = new Set([
  'pod-template-hash',
  'controller-revision-hash',
  'pod-template-generation',
  'service.istio.io/canonical-revision',
  'service.istio.io/canonical-name',
]);

export const POD_NAME_LABEL = 'statefulset.kubernetes.io/pod-name';
/** Their values differ for each pod, and end in the pod's ordinal. */
export const LABELS_OF_A_POD: ReadonlySet<string> = new Set([POD_NAME_LABEL, 'apps.kubernetes.io/pod-index']);

/** Whether workloads and endpoints are listed without this label. */
export function isRolloutLabel(name: string): boolean {
  return OF_A_ROLLOUT.has(name) || LABELS_OF_A_POD.has(name);
}

/** The rollout labels among the labels of a subset, sorted. */
export function rolloutLabelsIn(subset: Readonly<Record<string, string>>): string[] {
  return Object.keys(subset).filter(isRolloutLabel).sort();
}
