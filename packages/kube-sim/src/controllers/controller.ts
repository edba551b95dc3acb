/** What every built-in controller is: something that keeps working on the store until it is disposed of. */

/** A running controller. Disposing of it ends its watches and drops its queue; nothing it made is taken back. */
export interface Controller extends Disposable {
  /** True while there is something left to do. */
  readonly busy: boolean;
  /** Resolves once there is nothing left to do: every event so far has been acted on. */
  idle(): Promise<void>;
}

/** Told of an error no later event will mend by itself: a bug, or an object the controller cannot work with. */
export type OnFault = (error: unknown, what: string) => void;
