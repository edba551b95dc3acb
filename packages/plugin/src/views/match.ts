/** Which requests a route matches. */
import type { StringMatchView } from './string-match.ts';

export interface NamedValueMatch {
  readonly name: string;
  /** Omitted: the name must be present with any value. */
  readonly value?: string;
  readonly regex: boolean;
  /** True: requests that fit do NOT match. */
  readonly invert: boolean;
}

/** All parts must match (AND); an absent part matches everything. */
export interface RouteMatchView {
  readonly name?: string;
  readonly uri?: StringMatchView;
  readonly headers: readonly NamedValueMatch[];
  readonly queryParameters: readonly NamedValueMatch[];
  readonly method?: string;
  /** Labels of the calling workload. */
  readonly sourceLabels?: Readonly<Record<string, string>>;
  /** Namespace of the calling workload. */
  readonly sourceNamespace?: string;
}
