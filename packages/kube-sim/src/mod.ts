/** An embedded Kubernetes API server for demos, tests and plugin authors. */
export { type AdminOptions, type AdminServer, startAdmin } from './admin/admin-server.ts';
export type { Actor, WriteRecord } from './audit/write-history.ts';
export type { KeyedCertificate, Subject } from './certificates/certificate.ts';
export { type Clock, systemClock } from './clock.ts';
export { type OpenKind, openCrd } from './crds/open-crd.ts';
export type { Fault, FaultMatch, FaultRule, RequestAttributes } from './faults/fault.ts';
export type { FaultPlan, PlannedFault } from './faults/fault-plan.ts';
export { type KubeSim, type KubeSimOptions, startKubeSim } from './kube-sim.ts';
export { jsonLog, type Log, silentLog } from './log.ts';
export { loadManifests, type Manifest, parseManifests } from './manifests/load-manifests.ts';
export { type KubeObject, type ObjectMeta, StatusError } from './object.ts';
export type { ObjectName, ObjectsApi } from './objects-api.ts';
