/** Maintains the intermediate CAs of the cluster's meshes: issues the desired ones and renews them in time. */
import type { IssuedCertificate } from '@meshrelay/api';
import { Backoff, type Clock, ReconcileLoop } from '@meshrelay/concurrency';
import { errorDetails, errorMessage } from '@meshrelay/host';
import { meshrelayKind, type ObjectKey, type StatusWriter } from '@meshrelay/kube';
import { OWNER_LABEL, type ResourceKind, WORKLOAD_CA_SECRET } from '@meshrelay/relay-core';
import type { Logger } from '@meshrelay/telemetry';
import { FencedError } from '../apply/fence.ts';
import type { KindReader, Tick } from '../input/tick.ts';
import { type RightsCommand, withCommand } from '../rights/missing-right.ts';
import { bringCertificate, type MeshCertificateOptions } from './mesh-certificate.ts';

export interface MeshCertificatesOptions extends MeshCertificateOptions {
  /** The management namespace. Objects labelled with another one do not belong to this server. */
  readonly owner: string;
  readonly statuses: Pick<StatusWriter, 'set' | 'forget'>;
  readonly rightsCommand: RightsCommand;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

const KIND = meshrelayKind('IssuedCertificate');
/** Interval of checks for changes by other writers, such as a conflicting Secret, in milliseconds. */
const RESYNC_INTERVAL_MS = 60_000;
/** Pauses after a failure, in milliseconds. */
const PAUSES = { first: 1_000, longest: 60_000 };

/** Runs from construction until it is disposed. */
export class MeshCertificates implements KindReader, AsyncDisposable {
  readonly kinds: readonly ResourceKind[] = [KIND];
  readonly needs = 'meaning';
  readonly #options: MeshCertificatesOptions;
  readonly #required = new Map<string, IssuedCertificate>();
  /** Expiry of each issued certificate, in milliseconds since 1970. */
  readonly #ends = new Map<string, number>();
  readonly #reconcileLoop: ReconcileLoop;

  constructor(options: MeshCertificatesOptions) {
    this.#options = options;
    const { clock, random } = options;
    const pauses = new Backoff({ ...PAUSES, random });
    this.#reconcileLoop = new ReconcileLoop(clock, async (signal) => {
      if (!(await this.#reconcileAll(signal))) return pauses.next();
      pauses.reset();
      return RESYNC_INTERVAL_MS;
    });
  }

  /** Earliest expiry of the issued certificates; undefined if none is issued. */
  get expiry(): Date | undefined {
    return this.#ends.size === 0 ? undefined : new Date(Math.min(...this.#ends.values()));
  }

  take(_kind: ResourceKind, { all, upserts, removed }: Tick): void {
    const { owner, statuses } = this.#options;
    if (all) this.#required.clear();
    for (const key of removed) {
      this.#required.delete(idOf(key));
      statuses.forget(KIND, key);
    }
    for (const object of upserts) {
      if (object.metadata.labels?.[OWNER_LABEL] === owner)
        this.#required.set(idOf(object.metadata), object as IssuedCertificate);
      else this.#required.delete(idOf(object.metadata));
    }
    for (const id of this.#ends.keys()) if (!this.#required.has(id)) this.#ends.delete(id);
    this.reconcile();
  }

  /** The kind is no longer synced: the desired certificates stay desired. */
  lost(): void {}

  /** Reconciles at once, because a connection to the server is established. */
  reconcile(): void {
    this.#reconcileLoop.trigger();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#reconcileLoop[Symbol.asyncDispose]();
  }

  /** @returns whether all possible work succeeded */
  async #reconcileAll(signal: AbortSignal): Promise<boolean> {
    let done = true;
    for (const object of [...this.#required.values()]) {
      if (signal.aborted) return done;
      done = (await this.#reconcile(object)) && done;
    }
    return done;
  }

  async #reconcile(object: IssuedCertificate): Promise<boolean> {
    const { statuses, logger } = this.#options;
    const { name, namespace = '', generation } = object.metadata;
    const seen = generation === undefined ? {} : { observedGeneration: generation };
    try {
      const status = await bringCertificate(object, this.#options);
      if (status.notAfter === undefined) this.#ends.delete(idOf(object.metadata));
      else this.#ends.set(idOf(object.metadata), Date.parse(status.notAfter));
      statuses.set(KIND, { namespace, name }, { ...seen, ...status });
      logger.debug('intermediate CA', { namespace, name, state: status.state, message: status.message });
      return status.state === 'ISSUED' || status.state === 'FOREIGN';
    } catch (cause) {
      if (cause instanceof FencedError) return false;
      const error = withCommand(cause, this.#commandFor(object));
      statuses.set(KIND, { namespace, name }, { ...seen, state: 'FAILED', message: errorMessage(error) });
      logger.warn('an intermediate CA is not issued yet', { namespace, name, ...errorDetails(error) });
      return false;
    }
  }

  /** The command that grants access to its Secret. */
  #commandFor({ metadata: { namespace = '' }, spec }: IssuedCertificate): string {
    const isOwn = spec.secretName === WORKLOAD_CA_SECRET;
    return this.#options.rightsCommand(isOwn ? undefined : `--mesh-namespace ${namespace}`);
  }
}

function idOf({ namespace = '', name }: ObjectKey): string {
  return `${namespace}/${name}`;
}
