/** Wraps the official client's Watch and corrects its error handling. */
import { type KubeConfig, Watch } from '@kubernetes/client-node';

/** Opens a watch: with the client, or with a test's function. */
export type OpenWatch = Watch['watch'];

/** Callbacks of a watch. */
export interface WatchHooks {
  /** A watch is about to be opened; a preceding list is complete and was handled. */
  opening(): void;
  /** The server has accepted the watch. */
  opened(): void;
  /** Converts an event for the informer; undefined hides it. */
  event(type: string, object: unknown): unknown;
  /** Converts an ERROR event to the failure that ends the watch, or undefined if the informer handles it. */
  failure(object: unknown): unknown;
}

/**
 * The informer does not await the promise of `watch`: here it never rejects, and a failure to open arrives as the end
 * of the watch. It knows every pending request, so that stopping stops them all, without further callbacks.
 */
export class TameWatch extends Watch {
  readonly #hooks: WatchHooks;
  readonly #open: OpenWatch;
  readonly #underWay = new Set<AbortController>();
  #stopped = false;

  /** `inactivity`: milliseconds without a byte after which a watch is reopened. */
  constructor(config: KubeConfig, inactivity: number, hooks: WatchHooks, open?: OpenWatch) {
    super(config);
    this.#hooks = hooks;
    this.#open = open ?? ((...request) => super.watch(...request));
    // An option of the client that its types call private.
    Object.assign(this, { requestTimeoutMs: inactivity });
  }

  override async watch(
    path: string,
    query: Record<string, string | number | boolean | undefined>,
    callback: (phase: string, object: unknown, event?: unknown) => void,
    done: (error: unknown) => void,
  ): Promise<AbortController> {
    let controller: AbortController | undefined;
    let ended = false;
    let failure: unknown;
    const end = (error: unknown): void => {
      if (ended) return;
      ended = true;
      if (controller !== undefined) this.#underWay.delete(controller);
      if (!this.#stopped) done(error ?? failure);
    };
    if (this.#stopped) return new AbortController();
    try {
      this.#hooks.opening();
      if (this.#stopped) return new AbortController();
      controller = await this.#open(
        path,
        query,
        (type, object) => {
          if (this.#stopped || ended) return;
          if (type === 'ERROR') failure = this.#hooks.failure(object);
          const seen = this.#hooks.event(type, object);
          if (seen !== undefined) callback(type, seen);
        },
        end,
      );
      if (this.#stopped) controller.abort();
      else if (!ended) {
        this.#underWay.add(controller);
        this.#hooks.opened();
      }
      return controller;
    } catch (error) {
      end(error);
      return new AbortController();
    }
  }

  /** Stops all pending requests, without further callbacks. */
  stop(): void {
    this.#stopped = true;
    for (const controller of this.#underWay) controller.abort();
    this.#underWay.clear();
  }
}
