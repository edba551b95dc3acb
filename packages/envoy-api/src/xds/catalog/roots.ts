/** The objects that define the root resources of an account's proxies. */
import type { XdsCaller } from './caller.ts';
import type { CatalogProxy } from './shard.ts';

type Account = Pick<XdsCaller, 'namespace' | 'serviceAccount'>;

/** By account, so that a caller's roots are found without a scan of all others. */
export class Roots {
  readonly #byAccount = new Map<string, Map<string, readonly CatalogProxy[]>>();

  /**
   * Sets the roots of an object; none for a deleted object. @returns the accounts that are or were affected; none
   * without a change
   */
  set(shard: string, before: readonly CatalogProxy[], after: readonly CatalogProxy[]): ReadonlySet<string> {
    if (JSON.stringify(before) === JSON.stringify(after)) return new Set();
    const accounts = new Set([...before, ...after].map(accountText));
    for (const account of accounts) {
      const own = after.filter((proxy) => accountText(proxy) === account);
      const shards = this.#byAccount.get(account) ?? new Map<string, readonly CatalogProxy[]>();
      if (own.length === 0) shards.delete(shard);
      else shards.set(shard, own);
      if (shards.size === 0) this.#byAccount.delete(account);
      else this.#byAccount.set(account, shards);
    }
    return accounts;
  }

  of(caller: XdsCaller): CatalogProxy[] {
    const all = [...(this.#byAccount.get(accountText(caller))?.values() ?? [])].flat();
    return all.filter(({ workload }) => workload === undefined || workload === caller.workload);
  }
}

/** Key of an account in maps. */
export function accountText({ namespace, serviceAccount }: Account): string {
  return `${namespace}/${serviceAccount}`;
}
