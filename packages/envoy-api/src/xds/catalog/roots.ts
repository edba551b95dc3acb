/** Which objects say what an account's proxies start from. */
import type { XdsCaller } from './catalog.ts';
import type { CatalogProxy } from './shard.ts';

type Account = Pick<XdsCaller, 'namespace' | 'serviceAccount'>;

/** By account, so that a caller is told its own without a look at anybody else's. */
export class Roots {
  readonly #byAccount = new Map<string, Map<string, readonly CatalogProxy[]>>();

  /** Sets what an object says; nothing where it is gone. @returns the accounts that it concerns, or did; none where it says what it said */
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

/** Stands for an account in maps. */
export function accountText({ namespace, serviceAccount }: Account): string {
  return `${namespace}/${serviceAccount}`;
}
