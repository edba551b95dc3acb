/** The apps group: Deployment, ReplicaSet, StatefulSet, DaemonSet. */
import type { SchemaNode } from '../object.ts';
import {
  flag,
  int32,
  int64,
  intOrText,
  listOf,
  mapOf,
  mergedBy,
  or,
  patched,
  quantity,
  record,
  text,
  textOr,
  time,
} from './build.ts';
import { podTemplateSpec } from './core-pod.ts';
import { persistentVolumeClaimSpec } from './core-volume.ts';
import { kind, labelSelector } from './meta.ts';

const rollingUpdateDeployment = record({ maxSurge: intOrText, maxUnavailable: intOrText });

const deploymentStrategy = record({ rollingUpdate: rollingUpdateDeployment, type: text });

const deploymentSpec = record(
  {
    minReadySeconds: int32,
    paused: flag,
    progressDeadlineSeconds: or(int32, 600),
    replicas: or(int32, 1),
    revisionHistoryLimit: or(int32, 10),
    selector: labelSelector,
    strategy: or(patched(deploymentStrategy, 'retainKeys'), {
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' },
    }),
    template: podTemplateSpec,
  },
  'selector',
  'template',
);

const deploymentCondition = record(
  { lastTransitionTime: time, lastUpdateTime: time, message: text, reason: text, status: text, type: text },
  'status',
  'type',
);

const deploymentStatus = record({
  availableReplicas: int32,
  collisionCount: int32,
  conditions: mergedBy('type', deploymentCondition),
  observedGeneration: int64,
  readyReplicas: int32,
  replicas: int32,
  terminatingReplicas: int32,
  unavailableReplicas: int32,
  updatedReplicas: int32,
});

/** apps/v1 Deployment. */
export const deployment: SchemaNode = kind({ spec: deploymentSpec, status: deploymentStatus });

const replicaSetSpec = record(
  { minReadySeconds: int32, replicas: or(int32, 1), selector: labelSelector, template: podTemplateSpec },
  'selector',
);

const replicaSetCondition = record(
  { lastTransitionTime: time, message: text, reason: text, status: text, type: text },
  'status',
  'type',
);

const replicaSetStatus = record(
  {
    availableReplicas: int32,
    conditions: mergedBy('type', replicaSetCondition),
    fullyLabeledReplicas: int32,
    observedGeneration: int64,
    readyReplicas: int32,
    replicas: int32,
    terminatingReplicas: int32,
  },
  'replicas',
);

/** apps/v1 ReplicaSet. */
export const replicaSet: SchemaNode = kind({ spec: replicaSetSpec, status: replicaSetStatus });

const statefulSetOrdinals = record({ start: int32 });

const statefulSetPersistentVolumeClaimRetentionPolicy = record({ whenDeleted: text, whenScaled: text });

const rollingUpdateStatefulSetStrategy = record({ maxUnavailable: intOrText, partition: int32 });

const statefulSetUpdateStrategy = record({ rollingUpdate: rollingUpdateStatefulSetStrategy, type: text });

const persistentVolumeClaimCondition = record(
  { lastProbeTime: time, lastTransitionTime: time, message: text, reason: text, status: text, type: text },
  'status',
  'type',
);

const modifyVolumeStatus = record({ status: text, targetVolumeAttributesClassName: text }, 'status');

const persistentVolumeClaimStatus = record({
  accessModes: listOf(text),
  allocatedResourceStatuses: mapOf(text),
  allocatedResources: mapOf(quantity),
  capacity: mapOf(quantity),
  conditions: mergedBy('type', persistentVolumeClaimCondition),
  currentVolumeAttributesClassName: text,
  modifyVolumeStatus,
  phase: text,
});

const persistentVolumeClaim = kind({ spec: persistentVolumeClaimSpec, status: persistentVolumeClaimStatus });

const statefulSetSpec = record(
  {
    minReadySeconds: int32,
    ordinals: statefulSetOrdinals,
    persistentVolumeClaimRetentionPolicy: statefulSetPersistentVolumeClaimRetentionPolicy,
    podManagementPolicy: textOr('OrderedReady'),
    replicas: or(int32, 1),
    revisionHistoryLimit: or(int32, 10),
    selector: labelSelector,
    serviceName: text,
    template: podTemplateSpec,
    updateStrategy: or(statefulSetUpdateStrategy, { type: 'RollingUpdate', rollingUpdate: { partition: 0 } }),
    volumeClaimTemplates: listOf(persistentVolumeClaim),
  },
  'selector',
  'template',
);

const statefulSetCondition = record(
  { lastTransitionTime: time, message: text, reason: text, status: text, type: text },
  'status',
  'type',
);

const statefulSetStatus = record(
  {
    availableReplicas: int32,
    collisionCount: int32,
    conditions: mergedBy('type', statefulSetCondition),
    currentReplicas: int32,
    currentRevision: text,
    observedGeneration: int64,
    readyReplicas: int32,
    replicas: int32,
    updateRevision: text,
    updatedReplicas: int32,
  },
  'replicas',
);

/** apps/v1 StatefulSet. */
export const statefulSet: SchemaNode = kind({ spec: statefulSetSpec, status: statefulSetStatus });

const rollingUpdateDaemonSet = record({ maxSurge: intOrText, maxUnavailable: intOrText });

const daemonSetUpdateStrategy = record({ rollingUpdate: rollingUpdateDaemonSet, type: text });

const daemonSetSpec = record(
  {
    minReadySeconds: int32,
    revisionHistoryLimit: or(int32, 10),
    selector: labelSelector,
    template: podTemplateSpec,
    updateStrategy: or(daemonSetUpdateStrategy, {
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 0, maxUnavailable: 1 },
    }),
  },
  'selector',
  'template',
);

const daemonSetCondition = record(
  { lastTransitionTime: time, message: text, reason: text, status: text, type: text },
  'status',
  'type',
);

const daemonSetStatus = record(
  {
    collisionCount: int32,
    conditions: mergedBy('type', daemonSetCondition),
    currentNumberScheduled: int32,
    desiredNumberScheduled: int32,
    numberAvailable: int32,
    numberMisscheduled: int32,
    numberReady: int32,
    numberUnavailable: int32,
    observedGeneration: int64,
    updatedNumberScheduled: int32,
  },
  'currentNumberScheduled',
  'desiredNumberScheduled',
  'numberMisscheduled',
  'numberReady',
);

/** apps/v1 DaemonSet. */
export const daemonSet: SchemaNode = kind({ spec: daemonSetSpec, status: daemonSetStatus });
