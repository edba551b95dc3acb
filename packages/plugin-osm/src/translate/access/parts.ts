/** The contributions of one destination to objects that several share. */
import type { ServiceAccount } from '../../service-account.ts';

/** Contribution to the requests that callers may send to pods of an account (HTTPRouteGroup). */
export interface RequestsPart {
  /** Each has a name that encodes the whole match. */
  readonly matches: ReadonlyArray<Record<string, unknown>>;
}

/**
 * Contribution to the grants of one caller (TrafficTarget). Source, destination and ports are the same in every part of
 * one target.
 */
export interface TargetPart {
  readonly destination: ServiceAccount;
  readonly source: ServiceAccount;
  /** Names of matches. */
  readonly requests: readonly string[];
  /** Empty: all. */
  readonly ports: readonly number[];
}
