/** The official client's Watch with its sharp edges taken off. */
import { type KubeConfig, Watch } from '@kubernetes/client-node';

/** Opens a watch: the client's own way, or a test's. */
export type OpenWatch = Watch['watch'];

/** What happens on a watch. */
export interface WatchHooks {
  /** A watch is about to be opened; a list before it is complete and was handled. */
  opening(): void;
  /** The server has accepted the watch. */
  opened(): void;
  /** Takes an event in: what the informer gets to see, or undefined when it is not to see it. */
  event(type: string, object: unknown): unknown;
  /** What an ERROR event says: the failure the watch ends with, or undefined when the informer knows what to do. */
  failure(object: unknown): unknown;
}

/**
 * The informer calls `watch` as a promise nobody waits for: here it never rejects, a failure to open arrives as the end
 * of the watch. It knows every request under way, so that stopping stops them all, and stays silent afterwards.
 */
export class TameWatch extends Watch {
  readonly #hooks: WatchHooks;
  readonly #open: OpenWatch;
  readonly #underWay = new Set<AbortController>();
  #stopped = false;

  /** `inactivity`: milliseconds without a byte after which a watch is opened anew. */
  constructor(config: KubeConfig, inactivity: number, hooks: WatchHooks, open?: OpenWatch) {
    super(config);
    this.#hooks = hooks;
    this.#open = open ?? ((...request) => super.watch(...request));
    // A setting of the client that its types call private.
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

  /** Ends everything under way; no event and no end is told any more. */
  stop(): void {
    this.#stopped = true;
    for (const controller of this.#underWay) controller.abort();
    this.#underWay.clear();
  }
}
