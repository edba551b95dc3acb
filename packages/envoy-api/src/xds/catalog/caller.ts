/** Callers of a catalog, and the source of their secrets. */
import type { XdsResource } from '../resource.ts';

/**
 * The authenticated identity of a caller, and its reported node information, which only selects among its own
 * resources.
 */
export interface XdsCaller {
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly workload?: string | undefined;
}

/** Source of secrets: they are in no object. */
export interface SecretSource {
  /**
   * A secret that the caller's own configuration names; undefined if it does not exist, or not yet, or does not belong
   * to the caller.
   */
  get(caller: XdsCaller, name: string): XdsResource | undefined;
  /** Whether one of the caller's own secrets is still being loaded: it is not reported as missing. */
  isAwaited?(caller: XdsCaller, name: string): boolean;
  /** The caller requested one that its configuration does not name; it gets nothing. */
  refused?(caller: XdsCaller, name: string): void;
}
