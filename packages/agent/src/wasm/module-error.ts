/** Why a module cannot be had: shown in the status of the WasmDeployment, so it names what was asked for and the next action. */

/** `later`: it may be there when asked again soon. `changed`: only once somebody changes something. */
export type ModuleRetry = 'later' | 'changed';

export class ModuleError extends Error {
  override readonly name = 'ModuleError';
  readonly retry: ModuleRetry;

  constructor(message: string, retry: ModuleRetry, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.retry = retry;
  }
}
