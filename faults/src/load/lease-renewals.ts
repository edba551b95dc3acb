/** How late the servers renew their Lease: a server with a busy event loop renews late before it loses the Lease. */
import { setTimeout as pause } from 'node:timers/promises';
import type { WriteRecord } from '@meshrelay/kube-sim';

interface LeaseSpec {
  readonly holderIdentity?: string;
}

/** Observes every write of the Leases of one API server. */
export class LeaseRenewals {
  /** By Lease: its last writer, and when. */
  readonly #last = new Map<string, { readonly holder: string; readonly at: number }>();
  #longest = 0;
  #renewals = 0;

  /** Call this with each write. */
  record({ type, resource, object, at }: WriteRecord): void {
    if (resource !== 'leases') return;
    const { name, namespace = '' } = object.metadata;
    const id = `${namespace}/${name}`;
    const { holderIdentity: holder = '' } = (object.spec ?? {}) as LeaseSpec;
    const before = this.#last.get(id);
    if (type === 'DELETED' || holder === '') this.#last.delete(id);
    else this.#last.set(id, { holder, at });
    if (before?.holder !== holder) return;
    this.#renewals++;
    this.#longest = Math.max(this.#longest, at - before.at);
  }

  /** Resets the recorded pauses. */
  begin(): void {
    this.#longest = 0;
    this.#renewals = 0;
  }

  /**
   * The longest pause between two renewals by the same holder since `begin`, in milliseconds; 0 with fewer than two.
   */
  get longestPause(): number {
    return this.#longest;
  }

  /** Waits for the next renewal, so that a pause in progress is included. @throws the signal's reason */
  async next(signal: AbortSignal): Promise<void> {
    const before = this.#renewals;
    while (this.#renewals === before) await pause(100, undefined, { signal });
  }
}
