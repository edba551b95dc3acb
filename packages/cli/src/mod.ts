/** meshctl as a library: exports for other programs of Meshrelay and for tests. */

export { readObjects } from './input/read-objects.ts';
export { fleetOf } from './offline/fleet.ts';
export { type CheckResult, checkInstallation } from './online/check.ts';
export { type DeregisterPlan, deregisterCluster } from './online/deregister.ts';
export type { DeregisterMode } from './online/deregister-mode.ts';
export { type Registration, registerCluster } from './online/register.ts';
export { type DirectRegistration, registerDirect } from './online/register-direct.ts';
export { type Revoked, revokeCluster } from './online/revoke-cluster.ts';
export { abortRotation, type CaRotation, rotateCa } from './online/rotate-ca.ts';
export type { TokenPlace } from './online/tokens.ts';
export { InputError } from './problem.ts';
