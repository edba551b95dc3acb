/** How late the servers renew their Lease: a server whose event loop is kept busy renews late before it loses the Lease. */
import { setTimeout as pause } from 'node:timers/promises';
import type { WriteRecord } from '@meshrelay/kube-sim';

interface LeaseSpec {
  readonly holderIdentity?: string;
}

/** Looks at every write of the Leases of one API server. */
export class LeaseRenewals {
  /** By Lease: who wrote it last, and when. */
  readonly #last = new Map<string, { readonly holder: string; readonly at: number }>();
  #longest = 0;
  #renewals = 0;

  /** To be called with each write. */
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

  /** Forgets the pauses so far. */
  begin(): void {
    this.#longest = 0;
    this.#renewals = 0;
  }

  /** The longest pause between two renewals by the same holder since `begin`, in milliseconds; 0 where there were not two. */
  get longestPause(): number {
    return this.#longest;
  }

  /** Waits for the next renewal, so that a pause that has not ended is seen, too. @throws the signal's reason */
  async next(signal: AbortSignal): Promise<void> {
    const before = this.#renewals;
    while (this.#renewals === before) await pause(100, undefined, { signal });
  }
}
