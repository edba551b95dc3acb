/** The interface of every built-in controller: it works on the store until it is disposed of. */

/** A running controller. Disposing of it ends its watches and drops its queue; its objects stay. */
export interface Controller extends Disposable {
  /** True while work is pending. */
  readonly busy: boolean;
  /** Resolves once no work is pending: every event so far has been handled. */
  idle(): Promise<void>;
}

/** Called for an error that no later event fixes: a bug, or an object the controller cannot handle. */
export type OnFault = (error: unknown, what: string) => void;
