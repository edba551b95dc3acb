/**
 * Modules that this replica's proxies need. Each is fetched once for all references, stored while it is needed, and
 * retried while it is not available. A reference that can change its content without notice, such as a tag, is checked
 * again from time to time.
 */

import { Backoff, type Clock } from '@meshrelay/concurrency';
import type { WasmModuleReference } from '@meshrelay/envoy-api';
import { ModuleError } from '../module-error.ts';
import { type ModuleCache, sha256Of } from './module-cache.ts';
import { nameOf } from './module-source.ts';

/** A fetched and verified module. */
export interface Module {
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/** State of a module. The earlier version stays available while its successor is not. */
export interface ModuleState {
  readonly module?: Module;
  /** Why it, or a newer version of it, is not available; absent during the first fetch. */
  readonly reason?: string;
}

export interface ModulesOptions {
  readonly fetch: (reference: WasmModuleReference, signal: AbortSignal) => Promise<Uint8Array>;
  readonly cache: ModuleCache;
  readonly clock: Clock;
  readonly random: () => number;
  /** Called when the state of a module has changed. */
  readonly onChanged: (reference: WasmModuleReference) => void;
  /** Called for problems that do not stop operation, such as a full disk. */
  readonly onDiskError: (message: string, error: unknown) => void;
}

/** Milliseconds after which a reference with changeable content is checked again. */
const RETRY_INTERVAL_MS = 60_000;
/** Pauses in milliseconds between attempts that can succeed only after a user's change. */
const AFTER_CHANGE = { first: 60_000, longest: 600_000 };
const SOON = { first: 1_000, longest: 60_000 };
const WAITING: ModuleState = {};

interface Requested {
  readonly reference: WasmModuleReference;
  readonly ended: AbortController;
  state: ModuleState;
}

export class Modules implements Disposable {
  readonly #options: ModulesOptions;
  readonly #requested = new Map<string, Requested>();
  /** Fetches in progress by SHA-256: another reference to the same module first waits for them. */
  readonly #getting = new Map<string, Promise<Module>>();

  constructor(options: ModulesOptions) {
    this.#options = options;
  }

  /** Number of available and missing modules that are needed, and the bytes of all modules on disk. */
  get counts(): { readonly available: number; readonly missing: number; readonly bytes: number } {
    const available = this.#requested.values().reduce((sum, { state }) => sum + Number(state.module !== undefined), 0);
    return { available, missing: this.#requested.size - available, bytes: this.#options.cache.bytes };
  }

  /** State of a module; the call marks it as needed. */
  need(reference: WasmModuleReference): ModuleState {
    const id = idOf(reference);
    const known = this.#requested.get(id);
    if (known !== undefined) return known.state;
    const requested: Requested = { reference, ended: new AbortController(), state: WAITING };
    this.#requested.set(id, requested);
    void this.#fetchWhileNeeded(requested);
    return requested.state;
  }

  /** The module is no longer needed. */
  release(reference: WasmModuleReference): void {
    const id = idOf(reference);
    this.#requested.get(id)?.ended.abort();
    this.#requested.delete(id);
  }

  [Symbol.dispose](): void {
    for (const { ended } of this.#requested.values()) ended.abort();
    this.#requested.clear();
  }

  /** Never rejects. */
  async #fetchWhileNeeded(requested: Requested): Promise<void> {
    const { clock, random } = this.#options;
    const { reference, ended } = requested;
    const soon = new Backoff({ ...SOON, random });
    const slow = new Backoff({ ...AFTER_CHANGE, random });
    while (!ended.signal.aborted) {
      let wait: number;
      try {
        const module = await this.#get(reference, ended.signal);
        if (ended.signal.aborted) return;
        this.#setState(requested, { module });
        if (reference.sha256 !== undefined) return;
        soon.reset();
        slow.reset();
        wait = RETRY_INTERVAL_MS;
      } catch (error) {
        if (ended.signal.aborted) return;
        const { message, retry } = asModuleError(error, reference);
        const { module } = requested.state;
        this.#setState(requested, { ...(module === undefined ? {} : { module }), reason: message });
        wait = (retry === 'later' ? soon : slow).next();
      }
      await clock.sleep(wait, ended.signal);
    }
  }

  #setState(requested: Requested, state: ModuleState): void {
    const { module, reason } = requested.state;
    if (module?.sha256 === state.module?.sha256 && reason === state.reason) return;
    requested.state = state;
    this.#options.onChanged(requested.reference);
  }

  async #get(reference: WasmModuleReference, signal: AbortSignal): Promise<Module> {
    const { sha256 } = reference;
    if (sha256 === undefined) return await this.#fetch(reference, signal);
    // A failure at the other reference's location does not imply a failure at this one.
    const running = this.#getting.get(sha256);
    if (running !== undefined) {
      const others = await running.catch(() => undefined);
      if (others !== undefined) return others;
    }
    const getting = this.#cached(sha256).then((bytes) =>
      bytes === undefined ? this.#fetch(reference, signal) : { sha256, bytes },
    );
    this.#getting.set(sha256, getting);
    try {
      return await getting;
    } finally {
      if (this.#getting.get(sha256) === getting) this.#getting.delete(sha256);
    }
  }

  async #fetch(reference: WasmModuleReference, signal: AbortSignal): Promise<Module> {
    const bytes = await this.#options.fetch(reference, signal);
    const module = { sha256: sha256Of(bytes), bytes };
    try {
      await this.#options.cache.put(module.sha256, bytes);
    } catch (error) {
      this.#options.onDiskError('a module cannot be stored on disk and is fetched again after a restart', error);
    }
    return module;
  }

  async #cached(sha256: string): Promise<Uint8Array | undefined> {
    try {
      return await this.#options.cache.get(sha256);
    } catch (error) {
      this.#options.onDiskError('modules on disk cannot be read, so they are fetched', error);
      return undefined;
    }
  }
}

/** Equal for references that mean the same module. */
export function idOf(reference: WasmModuleReference): string {
  return JSON.stringify(Object.entries(reference).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function asModuleError(error: unknown, reference: WasmModuleReference): ModuleError {
  if (error instanceof ModuleError) return error;
  return new ModuleError(`${nameOf(reference)} cannot be fetched: ${(error as Error).message}`, 'later', error);
}
