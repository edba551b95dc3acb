/** Passes changed statuses on to those who write, send and show them. */
import type { Key } from '@meshrelay/relay-core';
import type { LeaderControllers } from '../controllers/controllers.ts';
import type { ChangeStream } from '../http/change-stream.ts';
import type { ClusterOutputs } from '../output/cluster-outputs.ts';
import type { RejectionChanges } from './policy-rejections.ts';
import type { StatusOutputs } from './status-outputs.ts';

export interface StatusChangesOptions {
  readonly controllers: Pick<LeaderControllers, 'refused'>;
  readonly outputs: Pick<ClusterOutputs, 'statusesChanged'>;
  readonly statuses: StatusOutputs;
  readonly changes: Pick<ChangeStream, 'touch'>;
}

export class StatusChanges {
  readonly #options: StatusChangesOptions;

  constructor(options: StatusChangesOptions) {
    this.#options = options;
  }

  /** The delivery of these policies' outputs was evaluated with another result. */
  evaluated(policies: readonly Key[]): void {
    this.rejected({ policies, outputs: [] });
  }

  /** Agents reject other outputs than before. */
  rejected(found: RejectionChanges): void {
    const { controllers, outputs, statuses, changes } = this.#options;
    controllers.refused(found);
    outputs.statusesChanged(
      found.policies.flatMap((policy) => statuses.current(policy) ?? []),
      [],
    );
    changes.touch('policies', found.policies);
    changes.touch('outputs', found.outputs);
  }
}
