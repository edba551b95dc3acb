/** The parts of one term of leadership, created for each term. Only state stored in the cluster carries over. */
import { setTimeout } from 'node:timers';
import type { AppliedOutputs } from '@meshrelay/api';
import type { ObjectKey as KubeKey } from '@meshrelay/kube';
import { apiVersionOf, OBJECT_PATCH, OBJECT_STATUS, type ResourceKind } from '@meshrelay/relay-core';
import { type AgentRejection, ObjectTable } from '@meshrelay/relay-protocol';
import { Applier } from '../apply/applier.ts';
import { DesiredTable } from '../apply/desired-table.ts';
import { Fence, FencedError } from '../apply/fence.ts';
import type { AppliedInventory } from '../apply/inventory.ts';
import { LiveObjects } from '../apply/live-objects.ts';
import { ObjectWriter, type ReconcileKey, type ReconcileResult } from '../apply/object-writer.ts';
import type { OutputLedgerStore } from '../apply/output-ledger.ts';
import { PatchPermissions } from '../apply/patch/patch-permissions.ts';
import { PatchWatch } from '../apply/patch/patch-watch.ts';
import { PatchWriter } from '../apply/patch/patch-writer.ts';
import { desiredPatches, patchSubject } from '../apply/patch/patched.ts';
import { RepairQueue } from '../apply/repair-queue.ts';
import { StatusApplier } from '../apply/status-applier.ts';
import { WrittenKinds } from '../apply/written-kinds.ts';
import type { MeshCertificates } from '../certificates/mesh-certificates.ts';
import type { MemberContext } from '../controllers/context.ts';
import type { RootConfigMaps } from '../data-plane/roots/root-config-maps.ts';
import { DiscoveryLoop } from '../discover/discovery-loop.ts';
import type { RelayIdentity } from '../identity/relay-identity.ts';
import type { ClusterInputs } from '../input/cluster-inputs.ts';
import type { Observer } from '../observe/observer.ts';
import type { AgentPeers } from '../peers/agent-peers.ts';
import type { RelayWork } from '../relay/relay-work.ts';
import type { ServerTransport } from '../relay/server-transport.ts';
import type { RootsPublisher } from '../workload-ca/publish-roots.ts';

/** State of the election for this replica. */
export interface Leadership {
  readonly term: number | undefined;
  validFor(): number;
}

export interface LeaderTermOptions {
  readonly agent: MemberContext;
  readonly term: number;
  readonly leadership: Leadership;
  /** Timeout of a request in milliseconds, so none outlives the Lease. */
  readonly requestTimeout: number;
  /** Called when the term cannot continue, for example after a newer term was observed. */
  readonly over: (reason: Error) => void;
  /** Called with a newer term that was observed, so the next one can be above it. */
  readonly outdated: (seen: number) => void;
}

/** Maximum wait for the current write when the term ends, in milliseconds. */
const LAST_WRITE = 2_000;

export class LeaderTerm {
  readonly term: number;
  readonly fence: Fence;
  readonly kinds: WrittenKinds;
  readonly rights: PatchPermissions;
  /** Objects to push. */
  readonly table: ObjectTable = new ObjectTable();
  readonly loop: DiscoveryLoop;
  readonly live: LiveObjects;
  readonly writer: ObjectWriter;
  readonly patchWriter: PatchWriter;
  readonly patchWatch: PatchWatch;
  readonly statusApplier: StatusApplier;
  readonly repairs: RepairQueue;
  readonly applier: Applier;
  readonly desired: DesiredTable = new DesiredTable();
  /** Creates the signal of a request to the API server that starts now. */
  readonly requestSignal: () => AbortSignal;
  // Controllers set the following fields.
  identity: RelayIdentity | undefined;
  transport: ServerTransport | undefined;
  ledger: OutputLedgerStore | undefined;
  inventory: AppliedInventory | undefined;
  certificates: MeshCertificates | undefined;
  rootConfigMaps: RootConfigMaps | undefined;
  roots: RootsPublisher | undefined;
  inputs: ClusterInputs | undefined;
  /** Answers queries for the whole cluster. */
  observer: Observer | undefined;
  /** The other replicas; undefined if calls between replicas are disabled. */
  peers: AgentPeers | undefined;
  relay: RelayWork | undefined;
  readonly #options: LeaderTermOptions;
  readonly #giveUp = new AbortController();
  /** Objects whose rejection the server has received, by id. */
  readonly refused: Map<string, AgentRejection> = new Map();

  constructor(options: LeaderTermOptions) {
    const { agent, term, leadership, requestTimeout, over, outdated } = options;
    const { connection, config, plugins, logger, clock, random } = agent;
    this.#options = options;
    this.term = term;
    this.fence = new Fence({
      term,
      currentTerm: () => leadership.term,
      validFor: () => leadership.validFor(),
      onOutdated: (seen) => {
        outdated(seen);
        over(new FencedError(`term ${seen} was seen in the cluster, this is term ${term}`));
      },
    });
    this.requestSignal = () => AbortSignal.any([AbortSignal.timeout(requestTimeout), this.#giveUp.signal]);
    this.kinds = new WrittenKinds(plugins);
    this.rights = new PatchPermissions(plugins);
    this.loop = new DiscoveryLoop({
      cluster: config.relay.cluster,
      plugins,
      now: () => clock.now(),
      logger: logger.child('discovery'),
      broken: over,
    });
    this.live = new LiveObjects(
      this.kinds.all,
      (id, kind, key) => this.#drifted({ id, kind, key: plain(key) }),
      (kind) => this.#became(kind),
    );
    const owner = config.managementNamespace;
    const { desired, live, fence, requestSignal } = this;
    this.writer = new ObjectWriter({
      connection,
      desired,
      live,
      isAbsent: (kind) => this.inputs?.isAbsent(kind) ?? false,
      fence,
      forget: async (id) => (await this.inventory?.forget([id])) ?? true,
      resolved: (id) => this.inventory?.resolved(id),
      owner,
      requestSignal,
    });
    const { rights } = this;
    this.patchWriter = new PatchWriter({
      connection,
      desired,
      rights,
      ledger: () => this.ledger,
      fence,
      requestSignal,
      rightsCommand: agent.rightsCommand,
      logger: logger.child('apply'),
    });
    this.statusApplier = new StatusApplier({ connection, desired, fence, requestSignal, now: agent.now });
    this.patchWatch = new PatchWatch({
      rights,
      patched: () => [...desiredPatches(desired), ...(this.ledger?.patches ?? [])],
      changed: (patch) => this.repairs.add(patchSubject(patch)),
    });
    this.repairs = new RepairQueue({
      repair: (subject) => this.#repair(subject),
      onError: (error, { kind, key }) => {
        if (!(error instanceof FencedError)) logger.error('repair failed', { kind: kind.kind, ...key, error });
      },
      clock,
      random,
    });
    this.applier = new Applier({
      kinds: this.kinds,
      desired,
      live,
      rights,
      reconcile: (subject) => this.#reconcile(subject),
      patched: () => (this.ledger?.patches ?? []).map(patchSubject),
      beforeDeleting: async (ids) => void (await this.inventory?.forget(ids)),
      owner,
      applied: (vector) => this.ledger?.note(vector),
      outcome: (subject, outcome) => this.#sent(subject, outcome),
      again: (subject) => this.repairs.retry(subject),
      logger: logger.child('apply'),
    });
  }

  /** Number of desired outputs, by kind. */
  appliedOutputs(): AppliedOutputs[] {
    const counts = this.desired.counts();
    return this.kinds.taken.flatMap((kind) => {
      // Statuses are not objects of their own in the cluster.
      if (kind === OBJECT_STATUS) return [];
      const count = counts.get(kind);
      return count === undefined ? [] : [{ apiVersion: apiVersionOf(kind), kind: kind.kind, count }];
    });
  }

  /** Stops the term, because it cannot continue. */
  stop(reason: Error): void {
    this.#options.over(reason);
  }

  /** Ends the term: requests in flight get a moment, then they are aborted. */
  endSoon(): void {
    setTimeout(() => this.#giveUp.abort(new Error('the agent stops')), LAST_WRITE).unref();
  }

  /** Another writer changed or deleted an object, or the watch returned the agent's own write. */
  #drifted(subject: ReconcileKey): void {
    if (!this.writer.isSettled(subject)) this.repairs.add(subject);
  }

  /** The kind was listed: undesired objects can be deleted now, and writes that needed the list can proceed. */
  #became(kind: ResourceKind): void {
    const { logger } = this.#options.agent;
    this.applier.prune().catch((error: unknown) => {
      if (!(error instanceof FencedError)) logger.error('unwanted objects cannot be deleted', { error });
    });
    for (const { id, kind: of, object } of this.desired.outputs()) {
      if (of === kind) this.#drifted({ id, kind, key: plain(object.metadata) });
    }
  }

  #reconcile(subject: ReconcileKey): Promise<ReconcileResult> {
    if (subject.kind === OBJECT_PATCH) return this.patchWriter.reconcile(subject);
    return subject.kind === OBJECT_STATUS ? this.statusApplier.reconcile(subject) : this.writer.reconcile(subject);
  }

  async #repair(subject: ReconcileKey): Promise<ReconcileResult> {
    const { logger, status } = this.#options.agent;
    const outcome = await this.#reconcile(subject);
    const { kind, key } = subject;
    if (outcome.result === 'failed') {
      const { code, reason } = outcome;
      logger.warn('output not applied', { kind: kind.kind, ...key, code, reason });
    } else if (outcome.result !== 'unchanged') {
      logger.info('output repaired', { kind: kind.kind, ...key, result: outcome.result });
      status.counters.repaired(kind.kind);
    }
    if (outcome.result !== 'failed' && this.refused.delete(subject.id)) this.relay?.resync(kind);
    return outcome;
  }

  #sent({ id, kind, key }: ReconcileKey, outcome: ReconcileResult): void {
    const { counters } = this.#options.agent.status;
    if (outcome.result === 'failed') {
      const { code, reason } = outcome;
      this.refused.set(id, { object: `${kind.kind} ${key.namespace ?? ''}/${key.name}`, code, reason });
      counters.refused(kind.kind, outcome.code);
      return;
    }
    this.refused.delete(id);
    if (outcome.result !== 'unchanged') counters.written(kind.kind, outcome.result);
  }
}

function plain({ namespace, name }: KubeKey): KubeKey {
  return namespace === undefined || namespace === '' ? { name } : { namespace, name };
}
