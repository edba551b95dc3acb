/** The newest known version of an API server, so that an outdated list from a lagging replica is not used. */

/** Number of consecutive older lists after which the server is believed: it was restored from a backup. */
const CONFIRMATIONS = 5;

/** Versions of one kind. Non-numeric versions cannot be compared and are always accepted. */
export class NewestVersion {
  #newest = 0;
  #older = 0;

  /** The newest version seen. */
  get seen(): number {
    return this.#newest;
  }

  /** An event or a bookmark has this version. */
  saw(version: string | undefined): void {
    const number = numberOf(version);
    if (number > this.#newest) this.#newest = number;
  }

  /** A complete list has this version. @returns whether it may be used */
  mayTake(version: string): boolean {
    const number = numberOf(version);
    if (number > 0 && number < this.#newest && ++this.#older < CONFIRMATIONS) return false;
    this.#older = 0;
    this.#newest = number;
    return true;
  }
}

function numberOf(version = ''): number {
  return /^\d{1,15}$/.test(version) ? Number(version) : 0;
}
