/**
 * Certificates of all ServiceAccounts whose proxies this replica serves. Each is issued on first request and renewed
 * while a proxy of the account is connected.
 */

import { Backoff, type Clock, ReconcileLoop } from '@meshrelay/concurrency';
import type { VerifiedServiceAccount } from '@meshrelay/envoy-api/server';
import type { XdsResource } from '@meshrelay/envoy-api/xds';
import { type IssuedSvid, issueSvid } from './issue-svid.ts';
import type { SigningCa } from './signing-ca.ts';

export interface SvidBookOptions {
  /** Whether a proxy of this ServiceAccount is connected. */
  readonly inUse: (account: VerifiedServiceAccount) => boolean;
  /** Called when another certificate of the account is available. */
  readonly changed: (account: VerifiedServiceAccount) => void;
  readonly issued: (result: 'issued' | 'failed') => void;
  readonly onError: (account: VerifiedServiceAccount, error: unknown) => void;
  readonly clock: Clock;
  readonly now: () => Date;
  readonly random: () => number;
}

interface Entry {
  readonly account: VerifiedServiceAccount;
  svid: IssuedSvid | undefined;
  /** The CA under which a certificate is being issued. */
  making: string | undefined;
  /** Time of its next check, in milliseconds since 1970. */
  due: number;
  readonly pauses: Backoff;
}

/** Certificates issued concurrently: threads are few, and other work needs them. */
const AT_ONCE = 4;
/**
 * Maximum number of ServiceAccounts with a certificate. A cluster has fewer; accounts without connected proxies are
 * evicted.
 */
const MAX_SVIDS = 20_000;
/** Pauses after a failure, and the maximum time until the next check, in milliseconds. */
const PAUSES = { first: 1_000, longest: 60_000 };
const RESYNC_INTERVAL_MS = 60_000;

/** Runs from construction until it is disposed. */
export class SvidCache implements AsyncDisposable {
  readonly #options: SvidBookOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #queue = new Set<Entry>();
  readonly #working = new Set<Promise<void>>();
  readonly #reconcileLoop: ReconcileLoop;
  #ca: SigningCa | undefined;

  constructor(options: SvidBookOptions) {
    this.#options = options;
    this.#reconcileLoop = new ReconcileLoop(options.clock, () => this.#reconcile());
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Earliest expiry of the certificates; undefined without certificates. */
  get expiry(): Date | undefined {
    const ends = [...this.#entries.values()].flatMap(({ svid }) => svid?.notAfter.getTime() ?? []);
    return ends.length === 0 ? undefined : new Date(Math.min(...ends));
  }

  /** Returns the certificate of a ServiceAccount; undefined until it is issued, and then `changed` is called. */
  get(account: VerifiedServiceAccount): XdsResource | undefined {
    const id = idOf(account);
    const known = this.#entries.get(id);
    if (known !== undefined) return known.svid?.resource;
    if (this.#entries.size >= MAX_SVIDS) this.#forgetAbsent();
    if (this.#entries.size >= MAX_SVIDS || this.#reconcileLoop.ended) return undefined;
    const { namespace, serviceAccount } = account;
    const pauses = new Backoff({ ...PAUSES, random: this.#options.random });
    const entry: Entry = { account: { namespace, serviceAccount }, svid: undefined, making: undefined, due: 0, pauses };
    this.#entries.set(id, entry);
    this.#enqueue(entry);
    return undefined;
  }

  /** From now on this CA signs; certificates of another CA are issued again at once. */
  use(ca: SigningCa): void {
    this.#ca = ca;
    for (const entry of this.#entries.values()) if (entry.svid?.ca !== ca.id) this.#enqueue(entry);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = this.#reconcileLoop[Symbol.asyncDispose]();
    this.#queue.clear();
    await Promise.all([ended, ...this.#working]);
  }

  /** Queues due certificates. @returns milliseconds until the next one is due */
  #reconcile(): number {
    const time = this.#options.now().getTime();
    let next = time + RESYNC_INTERVAL_MS;
    for (const [id, entry] of this.#entries) {
      if (entry.due > time) next = Math.min(next, entry.due);
      else if (!this.#options.inUse(entry.account)) this.#entries.delete(id);
      else this.#enqueue(entry);
    }
    return Math.max(next - time, 1);
  }

  #enqueue(entry: Entry): void {
    if (entry.making !== undefined && entry.making === this.#ca?.id) return;
    this.#queue.add(entry);
    this.#work();
  }

  #work(): void {
    while (this.#ca !== undefined && this.#working.size < AT_ONCE && !this.#reconcileLoop.ended) {
      const [entry] = this.#queue;
      if (entry === undefined) return;
      this.#queue.delete(entry);
      // Not due while it is being issued.
      entry.due = Number.POSITIVE_INFINITY;
      entry.making = this.#ca.id;
      const made = this.#issue(entry, this.#ca).finally(() => {
        this.#working.delete(made);
        this.#work();
      });
      this.#working.add(made);
    }
  }

  async #issue(entry: Entry, ca: SigningCa): Promise<void> {
    const { changed, issued, onError, now } = this.#options;
    try {
      const svid = await issueSvid(ca, entry.account, this.#options);
      // Another CA signs by now, and the certificate is already or will be issued under that one.
      if (this.#ca?.id !== ca.id) return;
      entry.making = undefined;
      entry.svid = svid;
      entry.due = svid.due.getTime();
      entry.pauses.reset();
      issued('issued');
      changed(entry.account);
    } catch (error) {
      if (this.#ca?.id !== ca.id) return;
      entry.making = undefined;
      entry.due = now().getTime() + entry.pauses.next();
      issued('failed');
      onError(entry.account, error);
    }
    this.#reconcileLoop.trigger();
  }

  #forgetAbsent(): void {
    for (const [id, { account }] of this.#entries) if (!this.#options.inUse(account)) this.#entries.delete(id);
  }
}

function idOf({ namespace, serviceAccount }: VerifiedServiceAccount): string {
  return `${namespace}/${serviceAccount}`;
}
