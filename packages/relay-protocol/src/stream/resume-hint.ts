/** Whether the server is known to support resuming, with which an agent sends digests instead of lists. */
import type { RelayError } from '../errors.ts';

/**
 * Shared by consecutive streams of an agent. A server that was replaced by an older one rejects a resuming hello as
 * unknown bytes; the next stream then sends lists.
 */
export class ResumeHint {
  #known = false;

  /** Whether resuming should be tried. */
  get worthTrying(): boolean {
    return this.#known;
  }

  welcomed(capabilities: readonly string[]): void {
    this.#known = capabilities.includes('resume');
  }

  ended(reason: RelayError | undefined): void {
    if (reason?.code === 'RELAY_E_PROTOCOL') this.#known = false;
  }
}
