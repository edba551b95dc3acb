/** Whether the server at the other end is known to take the short way, in which an agent tells digests instead of lists. */
import type { RelayError } from '../errors.ts';

/**
 * What an agent remembers from one stream to the next. A server that was replaced by an older one refuses the short way as bytes it does not
 * know; the next stream then takes the long way.
 */
export class ResumeHint {
  #known = false;

  /** Whether the short way is worth trying. */
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
