// All Meshrelay kinds by name.
import type { Ledger } from './admin/ledger.ts';
import type { OutputLedger } from './admin/output-ledger.ts';
import type { Settings } from './admin/settings.ts';
import type { Workspace } from './admin/workspace.ts';
import type { WorkspaceSettings } from './admin/workspace-settings.ts';
import type { AccessLogConfig } from './agent/access-log-config.ts';
import type { XdsConfig } from './agent/xds-config.ts';
import type { IssuedCertificate } from './certificates/issued-certificate.ts';
import type { Destination } from './discovery/destination.ts';
import type { Mesh } from './discovery/mesh.ts';
import type { Workload } from './discovery/workload.ts';
import type { AccessLogRecord } from './extensions/access-log-record.ts';
import type { WasmDeployment } from './extensions/wasm-deployment.ts';
import type { KubernetesCluster } from './multicluster/kubernetes-cluster.ts';
import type { AccessPolicy } from './networking/access-policy.ts';
import type { TrafficPolicy } from './networking/traffic-policy.ts';
import type { VirtualDestination } from './networking/virtual-destination.ts';
import type { VirtualMesh } from './networking/virtual-mesh.ts';

/** The object type of each kind. */
export interface ObjectsByKind {
  readonly KubernetesCluster: KubernetesCluster;
  readonly Mesh: Mesh;
  readonly Workload: Workload;
  readonly Destination: Destination;
  readonly VirtualMesh: VirtualMesh;
  readonly TrafficPolicy: TrafficPolicy;
  readonly AccessPolicy: AccessPolicy;
  readonly VirtualDestination: VirtualDestination;
  readonly Workspace: Workspace;
  readonly WorkspaceSettings: WorkspaceSettings;
  readonly Settings: Settings;
  readonly Ledger: Ledger;
  readonly OutputLedger: OutputLedger;
  readonly XdsConfig: XdsConfig;
  readonly AccessLogConfig: AccessLogConfig;
  readonly IssuedCertificate: IssuedCertificate;
  readonly AccessLogRecord: AccessLogRecord;
  readonly WasmDeployment: WasmDeployment;
}

/** The name of a Meshrelay kind. */
export type KindName = keyof ObjectsByKind;

/** An object of any Meshrelay kind. */
export type MeshrelayObject = ObjectsByKind[KindName];

/** The policy kinds that users write for traffic, access and logging, and that have a PolicyStatus. */
export type Policy =
  | VirtualMesh
  | TrafficPolicy
  | AccessPolicy
  | VirtualDestination
  | AccessLogRecord
  | WasmDeployment
  | Workspace
  | WorkspaceSettings;
