/** A request for a Lease that the API server rejected. */

/**
 * The message names the request and the API server's message. It omits headers and bodies, which the client's own
 * errors contain, because they do not belong in logs.
 */
export class LeaseRequestError extends Error {
  override readonly name = 'LeaseRequestError';
  /** HTTP status. */
  readonly status: number;

  constructor(request: string, status: number, words: string, options?: ErrorOptions) {
    super(`${request}: HTTP ${status}: ${words}`, options);
    this.status = status;
  }

  /**
   * Whether the credential is rejected or lacks a permission. Such an error does not pass as quickly as a broken
   * connection.
   */
  get isDenied(): boolean {
    return this.status === 401 || this.status === 403;
  }
}
