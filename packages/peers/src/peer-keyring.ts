/** Maintains the keys of a group in its Secret: reads them, and replaces them when due. */
import type { Secrets } from '@meshrelay/kube';
import type { PeerGroup } from './peer-group.ts';
import { isDue, makePeerKeys, type PeerKeys, readPeerKeys } from './peer-keys.ts';

export interface PeerKeyringOptions {
  readonly group: PeerGroup;
  readonly secrets: Pick<Secrets, 'read' | 'update'>;
  /** @throws if this replica may not write (any more) */
  readonly check?: () => void;
  readonly now: () => Date;
}

export class PeerKeyring {
  readonly #options: PeerKeyringOptions;
  #keys: PeerKeys | undefined;
  #looking: Promise<void> | undefined;

  constructor(options: PeerKeyringOptions) {
    this.#options = options;
  }

  /** Keys of the last check; undefined before the first. */
  get keys(): PeerKeys | undefined {
    return this.#keys;
  }

  /**
   * Checks the keys, and replaces them when due. If several replicas do so at once, the first one wins. @throws
   * KubeError
   */
  upkeep(): Promise<void> {
    this.#looking ??= this.#check().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #check(): Promise<void> {
    const { group, secrets, now, check } = this.#options;
    const known = readPeerKeys(group, (await secrets.read(group.secret))?.data ?? {});
    if (known !== undefined && !isDue(known, now())) {
      this.#keys = known;
      return;
    }
    const made = await makePeerKeys(group, now());
    check?.();
    const stored = await secrets.update(group.secret, (before) =>
      isDue(readPeerKeys(group, before), now()) ? made : before,
    );
    this.#keys = readPeerKeys(group, stored.data);
  }
}
