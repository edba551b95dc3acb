/** Where a pod may run: affinity, tolerations, topology spread. */
import type { SchemaNode } from '../object.ts';
import { atomic, int32, int64, listOf, record, text } from './build.ts';
import { labelSelector } from './meta.ts';

const nodeSelectorRequirement = record({ key: text, operator: text, values: listOf(text) }, 'key', 'operator');

const nodeSelectorTerm = atomic(
  record({ matchExpressions: listOf(nodeSelectorRequirement), matchFields: listOf(nodeSelectorRequirement) }),
);

const preferredSchedulingTerm = record({ preference: nodeSelectorTerm, weight: int32 }, 'preference', 'weight');

const nodeSelector = atomic(record({ nodeSelectorTerms: listOf(nodeSelectorTerm) }, 'nodeSelectorTerms'));

const nodeAffinity = record({
  preferredDuringSchedulingIgnoredDuringExecution: listOf(preferredSchedulingTerm),
  requiredDuringSchedulingIgnoredDuringExecution: nodeSelector,
});

const podAffinityTerm = record(
  {
    labelSelector,
    matchLabelKeys: listOf(text),
    mismatchLabelKeys: listOf(text),
    namespaceSelector: labelSelector,
    namespaces: listOf(text),
    topologyKey: text,
  },
  'topologyKey',
);

const weightedPodAffinityTerm = record({ podAffinityTerm, weight: int32 }, 'podAffinityTerm', 'weight');

const podAffinity = record({
  preferredDuringSchedulingIgnoredDuringExecution: listOf(weightedPodAffinityTerm),
  requiredDuringSchedulingIgnoredDuringExecution: listOf(podAffinityTerm),
});

const podAntiAffinity = record({
  preferredDuringSchedulingIgnoredDuringExecution: listOf(weightedPodAffinityTerm),
  requiredDuringSchedulingIgnoredDuringExecution: listOf(podAffinityTerm),
});

/** Which nodes and pods a pod wants to be near or far from. */
export const affinity: SchemaNode = record({ nodeAffinity, podAffinity, podAntiAffinity });

/** A taint a pod puts up with. */
export const toleration: SchemaNode = record({
  effect: text,
  key: text,
  operator: text,
  tolerationSeconds: int64,
  value: text,
});

/** How evenly pods are spread. */
export const topologySpreadConstraint: SchemaNode = record(
  {
    labelSelector,
    matchLabelKeys: listOf(text),
    maxSkew: int32,
    minDomains: int32,
    nodeAffinityPolicy: text,
    nodeTaintsPolicy: text,
    topologyKey: text,
    whenUnsatisfiable: text,
  },
  'maxSkew',
  'topologyKey',
  'whenUnsatisfiable',
);
