/**
 * Why a module is not available. The status of the WasmDeployment shows it, so it names the request and the next
 * action.
 */

/** `later`: a retry may succeed soon. `changed`: a retry succeeds only after a user changes something. */
export type ModuleRetry = 'later' | 'changed';

export class ModuleError extends Error {
  override readonly name = 'ModuleError';
  readonly retry: ModuleRetry;

  constructor(message: string, retry: ModuleRetry, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.retry = retry;
  }
}
