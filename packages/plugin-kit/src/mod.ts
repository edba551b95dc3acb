/** Conformance checks and golden cases for mesh plugins of Meshrelay. */

export type { ExpectedFacts } from './capability/capability-checks.ts';
export { capabilityMatrix, type ProvenMesh } from './capability/matrix.ts';
export { type CapabilityProof, proveCapability } from './capability/prove.ts';
export { type GoldenOptions, goldenChecks } from './cases/golden-checks.ts';
export { type GoldenCoverage, goldenCoverageChecks, silentFieldChecks } from './cases/golden-coverage.ts';
export { type GoldenFile, GoldenFolder } from './cases/golden-folder.ts';
export { unshownBy } from './cases/shown-points.ts';
export { type Check, type RegisterTest, registerChecks } from './check.ts';
export { type ConformanceOptions, pluginConformance } from './conformance.ts';
export { expandFleet, type Fleet, type NamedFixture } from './fleet/expand-fleet.ts';
export type { ClusterSpec, FleetSpec } from './fleet/fleet-spec.ts';
export { LiveFleet, type LiveFleetOptions } from './fleet/live-fleet.ts';
export type { ExpectedMesh, MeshFixture } from './fleet/mesh-fixture.ts';
export type { NodeSpec } from './fleet/node-object.ts';
export type { PolicySpec } from './fleet/policy-object.ts';
export type { FaultOutcome, Reported } from './fleet/reported.ts';
export type { ServiceSpec } from './fleet/service-objects.ts';
export { sha256 } from './hash.ts';
export type { BadSettings } from './properties/settings.ts';
export {
  type CrdValidator,
  crdValidator,
  crdValidatorOf,
  type Evaluated,
  type ValidatingCrd,
} from './schema/crd-validator.ts';
export type { StructuralSchema } from './schema/structural-schema.ts';
export type { TestedPlugin } from './tested-plugin.ts';
