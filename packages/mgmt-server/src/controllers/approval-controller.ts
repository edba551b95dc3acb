/**
 * What somebody approved on a cluster becomes a decision of the ledger, which every replica follows. The replica that the cluster's agent is connected to sees to
 * that, since what it holds is what stays; the Lease holder does for clusters that are connected nowhere.
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
  readonly management: Pick<ManagementInputs, 'unknownKinds' | 'take'>;
  readonly guard: DeletionGuard;
  /** Whether what is approved in this cluster is decided here. */
  readonly decides: (cluster: string) => boolean;
  /** Whether approvals that were carried out are removed here. */
  readonly cleansUp: boolean;
  readonly audit: AuditLog;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** Outputs that one object of the ledger names: below 250 bytes each, far less than what etcd takes. */
const OBJECTS = 2_000;
/** Lost races before it is called a failure. */
const ATTEMPTS = 5;
/** Stands among the clusters for the look at approvals that were carried out; no cluster has this name. */
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

  /** What is held in a cluster, or approved there, may be another. */
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
    if (management.unknownKinds.size > 0 || !decides(cluster)) return;
    const live = await this.#read(cluster, signal);
    const approved = live?.metadata.annotations?.[APPROVE_ANNOTATION];
    if (live === undefined || approved === undefined) return;
    const held = guard.heldIn(cluster);
    const requester = requesterOf(live);
    if (held === undefined) {
      // Soon after a start it may not be known yet what is held; what was decided before that is not waited for.
      const decided = [...fleet.fleetState.ledgerApprovals.entries()].some(([, one]) => one.digest === approved);
      if (!decided) return;
    } else if (approved !== held.digest) {
      const message =
        'an approval is of other deletions than those that are held; look again and approve what is held now';
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

  /** An approval is of what was held then: the same deletions another day are to be looked at again. */
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
        // Its status moves on just now, since nothing is held any more.
        if (!isKubeError(error, 'RELAY_E_KUBE_CONFLICT') || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** @returns whether it was decided by this call */
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
      // The same for one request, however often it is tried.
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

  /** Approvals whose outputs are all gone, or desired again, have done their work. */
  async #cleanUp(signal: AbortSignal): Promise<void> {
    const { connection, namespace, fleet, guard, management } = this.#options;
    if (management.unknownKinds.size > 0) return;
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
