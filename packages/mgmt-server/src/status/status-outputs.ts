/** Statuses of policies in workload clusters, as outputs of these clusters: their agents write them. */
import type { PolicyRef } from '@meshrelay/api';
import { type DesiredObject, type Key, MANAGEMENT_CLUSTER, objectStatus } from '@meshrelay/relay-core';
import type { Fleet } from '../store/fleet.ts';
import type { PolicyOutcomes } from './policy-outcomes.ts';

export interface StatusOutputsOptions {
  readonly fleet: Fleet;
  readonly outcomes: Pick<PolicyOutcomes, 'statusOf' | 'isUnsure'>;
  /** The management namespace: the value of the owner label. */
  readonly namespace: string;
}

export class StatusOutputs {
  readonly #options: StatusOutputsOptions;

  constructor(options: StatusOutputsOptions) {
    this.#options = options;
  }

  /** All statuses for a cluster. */
  of(cluster: string): DesiredObject[] {
    return [...this.#options.fleet.controlPlane.statuses.entries()].flatMap(([policy, { ref }]) =>
      ref.cluster === cluster ? (this.current(policy) ?? []) : [],
    );
  }

  /**
   * The status of one policy; undefined if an agent must not write it, too little is known yet, or the policy is gone.
   */
  current(policy: Key): DesiredObject | undefined {
    const { fleet, outcomes, namespace } = this.#options;
    const evaluated = fleet.controlPlane.statuses.get(policy);
    if (evaluated === undefined || evaluated.ref.cluster === MANAGEMENT_CLUSTER || outcomes.isUnsure(policy))
      return undefined;
    return objectStatus(evaluated.ref, outcomes.statusOf(evaluated), namespace);
  }

  /** Identifies the status of a deleted policy. */
  gone(ref: PolicyRef): DesiredObject {
    return objectStatus(ref, {}, this.#options.namespace);
  }
}
