/** The batch group: Job and CronJob. */
import type { SchemaNode } from '../object.ts';
import { objectMetaSchema } from '../schema/object-meta.ts';
import { flag, int32, int64, listOf, or, patched, record, setOf, text, textOr, time } from './build.ts';
import { podTemplateSpec } from './core-pod.ts';
import { objectReference } from './core-reference.ts';
import { kind, labelSelector } from './meta.ts';

const podFailurePolicyOnExitCodesRequirement = record(
  { containerName: text, operator: text, values: setOf(int32) },
  'operator',
  'values',
);

const podFailurePolicyOnPodConditionsPattern = record({ status: text, type: text }, 'type');

const podFailurePolicyRule = record(
  {
    action: text,
    onExitCodes: podFailurePolicyOnExitCodesRequirement,
    onPodConditions: listOf(podFailurePolicyOnPodConditionsPattern),
  },
  'action',
);

const podFailurePolicy = record({ rules: listOf(podFailurePolicyRule) }, 'rules');

const successPolicyRule = record({ succeededCount: int32, succeededIndexes: text });

const successPolicy = record({ rules: listOf(successPolicyRule) }, 'rules');

const jobSpec = record(
  {
    activeDeadlineSeconds: int64,
    backoffLimit: or(int32, 6),
    backoffLimitPerIndex: int32,
    completionMode: textOr('NonIndexed'),
    completions: or(int32, 1),
    managedBy: text,
    manualSelector: flag,
    maxFailedIndexes: int32,
    parallelism: or(int32, 1),
    podFailurePolicy,
    podReplacementPolicy: text,
    selector: labelSelector,
    successPolicy,
    suspend: or(flag, false),
    template: podTemplateSpec,
    ttlSecondsAfterFinished: int32,
  },
  'template',
);

const jobCondition = record(
  { lastProbeTime: time, lastTransitionTime: time, message: text, reason: text, status: text, type: text },
  'status',
  'type',
);

const uncountedTerminatedPods = record({ failed: setOf(text), succeeded: setOf(text) });

const jobStatus = record({
  active: int32,
  completedIndexes: text,
  completionTime: time,
  conditions: patched(listOf(jobCondition), 'merge', 'type'),
  failed: int32,
  failedIndexes: text,
  ready: int32,
  startTime: time,
  succeeded: int32,
  terminating: int32,
  uncountedTerminatedPods,
});

/** batch/v1 Job. */
export const job: SchemaNode = kind({ spec: jobSpec, status: jobStatus });

const jobTemplateSpec = record({ metadata: objectMetaSchema, spec: jobSpec });

const cronJobSpec = record(
  {
    concurrencyPolicy: textOr('Allow'),
    failedJobsHistoryLimit: or(int32, 1),
    jobTemplate: jobTemplateSpec,
    schedule: text,
    startingDeadlineSeconds: int64,
    successfulJobsHistoryLimit: or(int32, 3),
    suspend: or(flag, false),
    timeZone: text,
  },
  'jobTemplate',
  'schedule',
);

const cronJobStatus = record({ active: listOf(objectReference), lastScheduleTime: time, lastSuccessfulTime: time });

/** batch/v1 CronJob. */
export const cronJob: SchemaNode = kind({ spec: cronJobSpec, status: cronJobStatus }, 'spec');
