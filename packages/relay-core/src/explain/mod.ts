/** Explains where an object, a policy state or a view comes from. */
export type { ExplainContext } from './context.ts';
export type {
  BackendOf,
  DestinationExplanation,
  DestinationFromMesh,
  EffectiveField,
  ExplainDocument,
  ExplainedCallers,
  ExplainedOutput,
  ExplainedPatch,
  ExplainedTarget,
  FieldOrigin,
  MeshLocation,
  MissingReference,
  NameHolder,
  NotApplied,
  OutputExplanation,
  OutputLocation,
  OutputSource,
  PolicyExplanation,
  PolicyOnTarget,
  RouteExplanation,
  VirtualDestinationExplanation,
  VirtualDestinationFromMesh,
} from './document.ts';
export { type ExplainAnswer, explain } from './explain.ts';
export { outputPlace } from './places.ts';
