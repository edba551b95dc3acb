/** Compares two fleets: what a change would do. */
export type {
  BlastRadius,
  ChangeKind,
  ClusterPlan,
  FieldChange,
  ObjectChange,
  PlanDocument,
  PolicyChange,
  ReachedDestination,
} from './document.ts';
export { isEmptyPlan, plan } from './plan.ts';
