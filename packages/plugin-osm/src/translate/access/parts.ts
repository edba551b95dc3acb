/** What one destination contributes to objects that several share. */
import type { ServiceAccount } from '../../service-account.ts';

/** To the requests that callers may send to pods of an account (HTTPRouteGroup). */
export interface RequestsPart {
  /** Each with a name that tells all of it. */
  readonly matches: ReadonlyArray<Record<string, unknown>>;
}

/** To what one caller may do there (TrafficTarget). Source, destination and ports are the same in every part of one target. */
export interface TargetPart {
  readonly destination: ServiceAccount;
  readonly source: ServiceAccount;
  /** Names of matches. */
  readonly requests: readonly string[];
  /** Empty: all. */
  readonly ports: readonly number[];
}
