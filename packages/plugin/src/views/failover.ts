/** How callers fail over between the endpoints of a virtual destination. */
import type { LocalityView } from './locality.ts';

/** Where callers of a locality go first if no nearby endpoint is healthy. */
export interface FailoverDirectiveView {
  readonly from: LocalityView;
  /** In order of preference. */
  readonly to: readonly LocalityView[];
}

/** How the endpoints of a virtual destination fail over. */
export type FailoverView =
  /** In the order of the groups' priorities, independent of the caller's locality. */
  | { readonly kind: 'static' }
  /** The caller's own cluster first, then by locality. */
  | { readonly kind: 'localized'; readonly directives: readonly FailoverDirectiveView[] };
