/** A request for a Lease that the API server refused. */

/** Its message names the request and the API server's words. Headers and bodies of answers, as the client's own errors show them, are nothing for logs. */
export class LeaseRequestError extends Error {
  override readonly name = 'LeaseRequestError';
  /** HTTP status. */
  readonly status: number;

  constructor(request: string, status: number, words: string, options?: ErrorOptions) {
    super(`${request}: HTTP ${status}: ${words}`, options);
    this.status = status;
  }

  /** Whether the credential is not accepted or lacks a right: nothing that goes by as soon as a connection that broke. */
  get isDenied(): boolean {
    return this.status === 401 || this.status === 403;
  }
}
