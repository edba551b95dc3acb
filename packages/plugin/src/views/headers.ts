/** Headers that proxies change. */

export interface HeaderManipulationView {
  readonly requestAdd: Readonly<Record<string, string>>;
  readonly requestRemove: readonly string[];
  readonly responseAdd: Readonly<Record<string, string>>;
  readonly responseRemove: readonly string[];
}
