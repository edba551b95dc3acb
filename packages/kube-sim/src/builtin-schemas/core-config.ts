/** Namespace, ConfigMap, Secret, ServiceAccount and Event. */
import type { SchemaNode } from '../object.ts';
import { bytes, flag, int32, listOf, mapOf, mergedBy, microTime, record, text, textOr, time } from './build.ts';
import { localObjectReference, objectReference } from './core-reference.ts';
import { kind } from './meta.ts';

const namespaceSpec = record({ finalizers: listOf(text) });

const namespaceCondition = record(
  { lastTransitionTime: time, message: text, reason: text, status: text, type: text },
  'status',
  'type',
);

const namespaceStatus = record({ conditions: mergedBy('type', namespaceCondition), phase: text });

/** v1 Namespace. */
export const namespace: SchemaNode = kind({ spec: namespaceSpec, status: namespaceStatus });

/** v1 ConfigMap. */
export const configMap: SchemaNode = kind({ binaryData: mapOf(bytes), data: mapOf(text), immutable: flag });

/** v1 Secret; `stringData` is write-only. */
export const secret: SchemaNode = kind({
  data: mapOf(bytes),
  immutable: flag,
  stringData: mapOf(text),
  type: textOr('Opaque'),
});

/** v1 ServiceAccount. */
export const serviceAccount: SchemaNode = kind({
  automountServiceAccountToken: flag,
  imagePullSecrets: listOf(localObjectReference),
  secrets: mergedBy('name', objectReference),
});

const eventSeries = record({ count: int32, lastObservedTime: microTime });

const eventSource = record({ component: text, host: text });

/** v1 Event. */
export const event: SchemaNode = kind(
  {
    action: text,
    count: int32,
    eventTime: microTime,
    firstTimestamp: time,
    involvedObject: objectReference,
    lastTimestamp: time,
    message: text,
    reason: text,
    related: objectReference,
    reportingComponent: text,
    reportingInstance: text,
    series: eventSeries,
    source: eventSource,
    type: text,
  },
  'involvedObject',
);
