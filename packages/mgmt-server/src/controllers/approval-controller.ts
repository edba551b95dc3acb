/**
 * Converts a user's approval on a cluster to a decision of the ledger, which every replica follows. The replica that
 * the cluster's agent is connected to does this, since its deletion guard holds the deletions. The Lease holder does it
 * for clusters that no replica is connected to.
 */
import { ADMIN_API_VERSION, type KubeObject, type LedgerApproval } from '@meshrelay/api';
import { sha256 } from '@meshrelay/host/hash';
import { isKubeError, type KubeConnection, meshrelayKind } from '@meshrelay/kube';
import { APPROVE_ANNOTATION, type ChangeSet, desiredKey, key } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import type { AuditLog } from '../audit/audit.ts';
import { type Requester, requesterOf } from '../audit/requester.ts';
import type { ManagementInputs } from '../input/management.ts';
import type { HeldDeletionSet } from '../output/cluster-deletions.ts';
import { approvedText, type DeletionGuard } from '../output/deletion-guard.ts';
import type { Fleet } from '../store/fleet.ts';
import { WorkQueue } from './keyed-work.ts';

export interface ApprovalControllerOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly fleet: Fleet;
  readonly management: Pick<ManagementInputs, 'unsyncedKinds' | 'take'>;
  readonly guard: DeletionGuard;
  /** Whether this replica decides the approvals of a cluster. */
  readonly decides: (cluster: string) => boolean;
  /** Whether this replica removes finished approvals. */
  readonly cleansUp: boolean;
  readonly audit: AuditLog;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** Outputs per object of the ledger. Each takes less than 250 bytes, so an object stays far below etcd's limit. */
const OBJECTS = 2_000;
/** Lost races after which the write fails. */
const ATTEMPTS = 5;
/** Queue key for the cleanup of finished approvals; no cluster has this name. */
const CLEANUP = '/cleanup';

export class ApprovalController implements AsyncDisposable {
  readonly #options: ApprovalControllerOptions;
  readonly #work: WorkQueue;

  constructor(options: ApprovalControllerOptions) {
    this.#options = options;
    this.#work = new WorkQueue({
      run: (one, signal) => (one === CLEANUP ? this.#cleanUp(signal) : this.#approve(one, signal)),
      logger: options.logger.child('approvals'),
    });
    for (const [, { name }] of options.fleet.fleetState.clusters.entries()) this.cluster(name);
  }

  /** The held deletions of a cluster, or the approval of them, may have changed. */
  cluster(name: string): void {
    const { fleet, decides } = this.#options;
    if (fleet.fleetState.clusters.get(key(name))?.approved !== undefined && decides(name)) this.#work.add(name);
  }

  changed(changes: ChangeSet): void {
    const { fleet, cleansUp } = this.#options;
    const { fleetState } = fleet;
    for (const { after } of changes.of(fleetState.clusters)) if (after !== undefined) this.cluster(after.name);
    if (
      cleansUp &&
      fleetState.ledgerApprovals.size > 0 &&
      (changes.of(fleetState.present).length > 0 || changes.of(fleetState.clusters).length > 0)
    )
      this.#work.add(CLEANUP);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#work[Symbol.asyncDispose]();
  }

  async #approve(cluster: string, signal: AbortSignal): Promise<void> {
    const { fleet, guard, decides, management, audit, logger } = this.#options;
    if (management.unsyncedKinds.size > 0 || !decides(cluster)) return;
    const live = await this.#read(cluster, signal);
    const approved = live?.metadata.annotations?.[APPROVE_ANNOTATION];
    if (live === undefined || approved === undefined) return;
    const held = guard.heldIn(cluster);
    const requester = requesterOf(live);
    if (held === undefined) {
      // Soon after a start the held deletions may not be known yet. Decisions made before do not wait for them.
      const decided = [...fleet.fleetState.ledgerApprovals.entries()].some(([, one]) => one.digest === approved);
      if (!decided) return;
    } else if (approved !== held.digest) {
      const message = 'an approval does not match the held deletions; review them and approve again';
      logger.warn(message, { cluster, approved, held: held.digest });
    } else if (await this.#decide(cluster, held, requester, signal)) {
      audit.record({
        action: 'approve',
        outcome: 'done',
        cluster,
        ...requester,
        digest: held.digest,
        count: held.outputs.length,
      });
    }
    await this.#useUp(cluster, approved, signal);
  }

  #read(cluster: string, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { connection, namespace } = this.#options;
    return connection.objects(meshrelayKind('KubernetesCluster')).read({ namespace, name: cluster }, { signal });
  }

  /** An approval covers only the deletions held at that time. The same deletions need a new approval another day. */
  async #useUp(cluster: string, approved: string, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const live = await this.#read(cluster, signal);
      const { [APPROVE_ANNOTATION]: found, ...annotations } = live?.metadata.annotations ?? {};
      if (live === undefined || found !== approved) return;
      try {
        await this.#options.connection
          .objects(meshrelayKind('KubernetesCluster'))
          .replace({ ...live, metadata: { ...live.metadata, annotations } }, { signal });
        return;
      } catch (error) {
        // The status is about to change, since nothing is held any more.
        if (!isKubeError(error, 'RELAY_E_KUBE_CONFLICT') || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** @returns whether this call decided it */
  async #decide(
    cluster: string,
    { digest, outputs }: HeldDeletionSet,
    { by, requestId = '' }: Requester,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { connection, namespace, management, now } = this.#options;
    const ledgers = connection.objects(meshrelayKind('Ledger'));
    const approvedAt = now().toISOString();
    let decided = false;
    for (let from = 0; from < outputs.length; from += OBJECTS) {
      const objects = outputs.slice(from, from + OBJECTS).map(({ object }) => approvedText(object));
      const approval: LedgerApproval = { cluster, digest, approvedAt, approvedBy: by, objects };
      // The name depends only on the request, so retries write the same object.
      const name = `approval-${sha256(`${cluster} ${digest} ${requestId}`).slice(0, 16)}-${from / OBJECTS}`;
      const ledger: KubeObject = {
        apiVersion: ADMIN_API_VERSION,
        kind: 'Ledger',
        metadata: { name, namespace },
        spec: { approvals: [approval] },
      };
      try {
        await management.take(await ledgers.create(ledger, { signal }));
        decided = true;
      } catch (error) {
        if (!isKubeError(error, 'RELAY_E_KUBE_EXISTS')) throw error;
      }
    }
    return decided;
  }

  /** Deletes approvals whose outputs are all gone or desired again. */
  async #cleanUp(signal: AbortSignal): Promise<void> {
    const { connection, namespace, fleet, guard, management } = this.#options;
    if (management.unsyncedKinds.size > 0) return;
    const { fleetState, controlPlane } = fleet;
    for (const [, { metadata, spec }] of [...fleetState.ledgers.entries()]) {
      const approvals = spec.approvals ?? [];
      const isDone = ({ cluster, objects }: LedgerApproval): boolean =>
        !fleet.isRegistered(cluster) ||
        (fleet.progress.get(cluster)?.complete === true &&
          objects.every((text) => {
            const [group = '', kind = '', where = '', name = ''] = text.split('/');
            const output = desiredKey(cluster, { group, kind }, where, name);
            return !guard.isPresent(cluster, output) || controlPlane.desired.has(output);
          }));
      if (approvals.length > 0 && approvals.every(isDone))
        await connection
          .objects(meshrelayKind('Ledger'))
          .delete({ namespace, name: metadata.name }, { expected: { uid: metadata.uid }, signal });
    }
  }
}
