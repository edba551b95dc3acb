/** The connected Envoys: their identities, and the resources they accepted and rejected. */
import type { Rejection } from '../xds/rejection.ts';
import type { XdsKey } from '../xds/resource-key.ts';
import type { XdsType } from '../xds/resource-type.ts';
import type { VerifiedServiceAccount } from './callers.ts';

/** State of one Envoy. */
export interface ProxyState extends VerifiedServiceAccount {
  /** Node information that it reports. */
  readonly node: string;
  readonly workload: string | undefined;
  /** Accepted and rejected responses on this stream. */
  readonly accepted: number;
  readonly rejected: number;
  /** Rejected resources without a newer version since. */
  readonly rejections: readonly Rejection[];
  /** Names of the extensions in its configuration. */
  readonly requested: readonly string[];
  /** Versions of accepted extensions, by name. */
  readonly extensions: ReadonlyMap<string, string>;
  /**
   * The configuration step (see {@link Proxies.advance}) up to which it has answered everything it was sent; undefined
   * before the first time.
   */
  readonly answeredUpTo: number | undefined;
  /** Whether its configuration references this resource. */
  readonly uses: (key: XdsKey) => boolean;
}

/** The writing side of a state. */
export interface ProxyEntry {
  accepted(type: XdsType, versions: ReadonlyMap<string, string>): void;
  rejected(rejection: Rejection): void;
  /** It has these from an earlier stream. */
  known(type: XdsType, versions: ReadonlyMap<string, string>): void;
  closed(): void;
  rejections: () => Rejection[];
  requested: () => readonly string[];
  /** It was sent everything and has answered it. */
  answeredAll(): void;
  /** Whether that is so now. */
  isIdle: () => boolean;
  uses: (key: XdsKey) => boolean;
}

/** Maximum stored characters of an Envoy's node information. */
const RETAINED = 253;

export interface ProxiesOptions {
  /** Called whenever a proxy connects, accepts, rejects or disconnects. Must be cheap: proxies decide how often. */
  readonly onChanged?: (() => void) | undefined;
  /** Called for each rejection, for logs and for the affected policy. */
  readonly onRejected?: ((proxy: ProxyState, rejection: Rejection) => void) | undefined;
}

export class Proxies {
  readonly #options: ProxiesOptions;
  readonly #open = new Set<Entry>();
  readonly #byAccount = new Map<string, number>();
  #step = 0;

  constructor(options: ProxiesOptions = {}) {
    this.#options = options;
  }

  /** All connected proxies. */
  states(): ProxyState[] {
    return [...this.#open].map((entry) => entry.state());
  }

  get size(): number {
    return this.#open.size;
  }

  /** Call it before the configuration changes. @returns the step of the next change, which is above all earlier ones */
  advance(): number {
    this.#step += 1;
    return this.#step;
  }

  streamsOf(account: VerifiedServiceAccount): number {
    return this.#byAccount.get(keyOf(account)) ?? 0;
  }

  opened(account: VerifiedServiceAccount, node: string, workload: string | undefined): ProxyEntry {
    const key = keyOf(account);
    this.#byAccount.set(key, this.streamsOf(account) + 1);
    const entry = new Entry({
      account,
      node: node.slice(0, RETAINED),
      workload: workload?.slice(0, RETAINED),
      step: () => this.#step,
      onRejected: (rejection) => this.#options.onRejected?.(entry.state(), rejection),
      onChanged: () => this.#options.onChanged?.(),
      onClosed: () => {
        this.#open.delete(entry);
        const left = this.streamsOf(account) - 1;
        if (left === 0) this.#byAccount.delete(key);
        else this.#byAccount.set(key, left);
        this.#options.onChanged?.();
      },
    });
    this.#open.add(entry);
    return entry;
  }
}

interface EntryOptions {
  readonly account: VerifiedServiceAccount;
  readonly node: string;
  readonly workload: string | undefined;
  readonly step: () => number;
  readonly onRejected: (rejection: Rejection) => void;
  readonly onChanged: () => void;
  readonly onClosed: () => void;
}

class Entry implements ProxyEntry {
  readonly #options: EntryOptions;
  readonly #extensions = new Map<string, string>();
  #accepted = 0;
  #rejected = 0;
  rejections: () => Rejection[] = () => [];
  requested: () => readonly string[] = () => [];
  isIdle: () => boolean = () => false;
  uses: (key: XdsKey) => boolean = () => false;
  #answeredUpTo: number | undefined;

  constructor(options: EntryOptions) {
    this.#options = options;
  }

  state(): ProxyState {
    const { account, node, workload } = this.#options;
    return {
      ...account,
      node,
      workload,
      accepted: this.#accepted,
      rejected: this.#rejected,
      rejections: this.rejections(),
      requested: this.requested(),
      extensions: this.#extensions,
      // A change that does not affect it is not sent, and needs no answer.
      answeredUpTo: this.isIdle() && this.#answeredUpTo !== undefined ? this.#options.step() : this.#answeredUpTo,
      uses: this.uses,
    };
  }

  answeredAll(): void {
    const step = this.#options.step();
    if (this.#answeredUpTo === step) return;
    this.#answeredUpTo = step;
    this.#options.onChanged();
  }

  accepted(type: XdsType, versions: ReadonlyMap<string, string>): void {
    this.#accepted += 1;
    this.known(type, versions);
  }

  known(type: XdsType, versions: ReadonlyMap<string, string>): void {
    this.#options.onChanged();
    if (type !== 'extensionConfig') return;
    for (const [name, version] of versions) {
      if (version === '') this.#extensions.delete(name);
      else this.#extensions.set(name, version);
    }
  }

  rejected(rejection: Rejection): void {
    this.#rejected += 1;
    this.#options.onRejected(rejection);
    this.#options.onChanged();
  }

  closed(): void {
    this.#options.onClosed();
  }
}

function keyOf({ namespace, serviceAccount }: VerifiedServiceAccount): string {
  return `${namespace}/${serviceAccount}`;
}
