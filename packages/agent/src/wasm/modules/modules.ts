/**
 * The modules that this replica's proxies are to run: each fetched once, however many ask for it, kept while somebody wants it, and tried again while it cannot be had. What may
 * become another module without anybody saying so, as a tag does, is looked at again from time to time.
 */
import type { WasmModuleReference } from '@meshrelay/envoy-api';
import { Backoff, type Clock } from '@meshrelay/kube';
import { ModuleError } from '../module-error.ts';
import { type ModuleCache, sha256Of } from './module-cache.ts';
import { nameOf } from './module-source.ts';

/** A module that was fetched and checked. */
export interface Module {
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/** How a module stands. What was had before stays while its successor cannot be had. */
export interface ModuleState {
  readonly module?: Module;
  /** Why it, or what it has become since, cannot be had; absent while it is fetched for the first time. */
  readonly reason?: string;
}

export interface ModulesOptions {
  readonly fetch: (reference: WasmModuleReference, signal: AbortSignal) => Promise<Uint8Array>;
  readonly cache: ModuleCache;
  readonly clock: Clock;
  readonly random: () => number;
  /** Told whenever the state of a module is another. */
  readonly onChanged: (reference: WasmModuleReference) => void;
  /** Told of what keeps working without being as it should, such as a full disk. */
  readonly onTrouble: (message: string, error: unknown) => void;
}

/** Milliseconds after which what may have become another is looked at again. */
const RETRY_INTERVAL_MS = 60_000;
/** What only changes when somebody mends it is asked for less often: milliseconds. */
const MENDED = { first: 60_000, longest: 600_000 };
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
  /** What is looked for by its SHA-256: whoever wants the same module from elsewhere waits for that first. */
  readonly #getting = new Map<string, Promise<Module>>();

  constructor(options: ModulesOptions) {
    this.#options = options;
  }

  /** Wanted modules that are had and that are not, and the bytes of those on disk. */
  get counts(): { readonly had: number; readonly missing: number; readonly bytes: number } {
    const had = this.#requested.values().reduce((sum, { state }) => sum + Number(state.module !== undefined), 0);
    return { had, missing: this.#requested.size - had, bytes: this.#options.cache.bytes };
  }

  /** How a module stands; asking for it makes it wanted. */
  need(reference: WasmModuleReference): ModuleState {
    const id = idOf(reference);
    const known = this.#requested.get(id);
    if (known !== undefined) return known.state;
    const requested: Requested = { reference, ended: new AbortController(), state: WAITING };
    this.#requested.set(id, requested);
    void this.#keep(requested);
    return requested.state;
  }

  /** Nobody wants it any more. */
  forgo(reference: WasmModuleReference): void {
    const id = idOf(reference);
    this.#requested.get(id)?.ended.abort();
    this.#requested.delete(id);
  }

  [Symbol.dispose](): void {
    for (const { ended } of this.#requested.values()) ended.abort();
    this.#requested.clear();
  }

  /** Never rejects. */
  async #keep(requested: Requested): Promise<void> {
    const { clock, random } = this.#options;
    const { reference, ended } = requested;
    const soon = new Backoff({ ...SOON, random });
    const mended = new Backoff({ ...MENDED, random });
    while (!ended.signal.aborted) {
      let wait: number;
      try {
        const module = await this.#get(reference, ended.signal);
        if (ended.signal.aborted) return;
        this.#become(requested, { module });
        if (reference.sha256 !== undefined) return;
        soon.reset();
        mended.reset();
        wait = RETRY_INTERVAL_MS;
      } catch (error) {
        if (ended.signal.aborted) return;
        const { message, retry } = asModuleError(error, reference);
        const { module } = requested.state;
        this.#become(requested, { ...(module === undefined ? {} : { module }), reason: message });
        wait = (retry === 'later' ? soon : mended).next();
      }
      await clock.sleep(wait, ended.signal);
    }
  }

  #become(requested: Requested, state: ModuleState): void {
    const { module, reason } = requested.state;
    if (module?.sha256 === state.module?.sha256 && reason === state.reason) return;
    requested.state = state;
    this.#options.onChanged(requested.reference);
  }

  async #get(reference: WasmModuleReference, signal: AbortSignal): Promise<Module> {
    const { sha256 } = reference;
    if (sha256 === undefined) return await this.#fetch(reference, signal);
    // That it cannot be had from where others look does not say that it cannot be had from here.
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
      this.#options.onTrouble('a module cannot be kept on disk, and is fetched again after a restart', error);
    }
    return module;
  }

  async #cached(sha256: string): Promise<Uint8Array | undefined> {
    try {
      return await this.#options.cache.get(sha256);
    } catch (error) {
      this.#options.onTrouble('modules on disk cannot be read, so they are fetched', error);
      return undefined;
    }
  }
}

/** The same for references that mean the same. */
export function idOf(reference: WasmModuleReference): string {
  return JSON.stringify(Object.entries(reference).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function asModuleError(error: unknown, reference: WasmModuleReference): ModuleError {
  if (error instanceof ModuleError) return error;
  return new ModuleError(`${nameOf(reference)} cannot be had: ${(error as Error).message}`, 'later', error);
}
