/** Copies audit lines to Events of the affected clusters. Events expire by themselves. */
import { MULTICLUSTER_API_VERSION } from '@meshrelay/api';
import type { KubeConnection } from '@meshrelay/kube';
import type { ResourceKind } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import type { AuditAction, AuditLine } from './audit.ts';

const EVENT: ResourceKind = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };
/** Kubernetes' limit on the message of an Event. */
const MAX_MESSAGE = 1_024;

export interface AuditEventsOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly logger: Logger;
}

/**
 * Returns the function that takes audit lines. Rejected requests make no Event: any client can send them, at any rate.
 */
export function auditEvents({ connection, namespace, logger }: AuditEventsOptions): (line: AuditLine) => void {
  return ({ action, outcome, cluster, time, requestId, by, ...rest }) => {
    if (outcome !== 'done' || cluster === '') return;
    const details = Object.entries({ by, ...rest, requestId }).filter(([, value]) => value !== undefined);
    const at = time.replace(/\.\d+Z$/, 'Z');
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${cluster}.${nameOf(requestId)}`, namespace },
      involvedObject: { apiVersion: MULTICLUSTER_API_VERSION, kind: 'KubernetesCluster', namespace, name: cluster },
      reason: reasonOf(action),
      message: details
        .map(([field, value]) => `${field}: ${value}`)
        .join(', ')
        .slice(0, MAX_MESSAGE),
      type: 'Normal',
      count: 1,
      firstTimestamp: at,
      lastTimestamp: at,
      source: { component: 'meshrelay' },
    };
    connection
      .objects(EVENT)
      .create(event as never)
      .catch((error: unknown) =>
        logger.warn('no Event could be created for an audit line', { action, cluster, error }),
      );
  };
}

/** Request ids may come from outside, so the name uses a hash. */
function nameOf(requestId: string): string {
  return (
    requestId
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]/g, '')
      .slice(0, 36) || 'none'
  );
}

/** `safe-mode-end` is SafeModeEnd. */
function reasonOf(action: AuditAction): string {
  return action.replaceAll(/(^|-)([a-z])/g, (_, _dash, letter: string) => letter.toUpperCase());
}
