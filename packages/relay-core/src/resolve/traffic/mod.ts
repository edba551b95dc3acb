/** The merged TrafficPolicies of a Service. */
export { actionViews, connectionView } from './action-views.ts';
export type { CompletedRoute } from './completed-routes.ts';
export { type CallersPlan, type Overridden, planForCallers, visibleFields, withoutPolicies } from './consumer-plan.ts';
export { compareSpecificity, matchesAll, matchView } from './match-view.ts';
export type { Fields, PlannedRoute } from './planned-route.ts';
export { relationOf } from './relation/match-relation.ts';
export {
  connectionFieldsFor,
  isForEveryRequest,
  planTraffic,
  setsNoField,
  type TrafficPlan,
} from './traffic-plan.ts';
