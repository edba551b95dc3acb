/** Routes: which requests they match, and what happens to them. */
import type { PolicyRef } from '@meshrelay/api';
import type { RouteActions } from './actions.ts';
import type { PortView } from './facts.ts';
import type { RouteMatchView } from './match.ts';

/**
 * One route of one HTTP port. Routes are ordered: the first that matches takes the request. Without a shift it goes to
 * the destination of the view itself. Destinations with the same policies and ports share the same routes.
 */
export interface RouteView {
  readonly match: RouteMatchView;
  readonly port: PortView;
  readonly actions: RouteActions;
  /** Every policy that contributes to this route. */
  readonly from: readonly PolicyRef[];
  /**
   * The policies that request this match, if others only contribute settings from wider routes. Omitted: all of them.
   */
  readonly requestedBy?: readonly PolicyRef[];
}
