/** What is known of how far an API server has come, so that a list from a replica that lags behind is not taken for the present. */

/** Lists in a row that must be older than what was seen until the server is believed: it was restored from a backup. */
const CONFIRMATIONS = 5;

/** Versions of one kind. Those that are no numbers cannot be compared, and are taken as they come. */
export class NewestVersion {
  #newest = 0;
  #older = 0;

  /** The newest that was seen. */
  get seen(): number {
    return this.#newest;
  }

  /** An event or a bookmark told of this version. */
  saw(version: string | undefined): void {
    const number = numberOf(version);
    if (number > this.#newest) this.#newest = number;
  }

  /** A complete list is of this version. @returns whether it may be taken */
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
