// The table of kinds: a new kind is a type, a schema and a row here.
import { ledgerSpec } from '../admin/ledger.ts';
import { outputLedgerSpec } from '../admin/output-ledger.ts';
import { settingsSpec, settingsStatus } from '../admin/settings.ts';
import { workspaceSpec } from '../admin/workspace.ts';
import { workspaceSettingsSpec } from '../admin/workspace-settings.ts';
import { accessLogConfigSpec } from '../agent/access-log-config.ts';
import { xdsConfigSpec, xdsConfigStatus } from '../agent/xds-config.ts';
import { issuedCertificateSpec, issuedCertificateStatus } from '../certificates/issued-certificate.ts';
import { destinationSpec, destinationStatus } from '../discovery/destination.ts';
import { meshSpec, meshStatus } from '../discovery/mesh.ts';
import { workloadSpec, workloadStatus } from '../discovery/workload.ts';
import { accessLogRecordSpec } from '../extensions/access-log-record.ts';
import { wasmDeploymentSpec, wasmDeploymentStatus } from '../extensions/wasm-deployment.ts';
import {
  ADMIN_GROUP,
  AGENT_GROUP,
  CERTIFICATES_GROUP,
  DISCOVERY_GROUP,
  EXTENSIONS_GROUP,
  MULTICLUSTER_GROUP,
  NETWORKING_GROUP,
} from '../group.ts';
import { kubernetesClusterSpec, kubernetesClusterStatus } from '../multicluster/kubernetes-cluster.ts';
import { accessPolicySpec } from '../networking/access-policy.ts';
import { trafficPolicySpec } from '../networking/traffic-policy.ts';
import { virtualDestinationSpec, virtualDestinationStatus } from '../networking/virtual-destination.ts';
import { virtualMeshSpec } from '../networking/virtual-mesh.ts';
import { dnsLabel } from '../schema/scalar.ts';
import { policyStatus } from '../shared/status.ts';
import { defineKind } from './define-kind.ts';
import type { KindDefinition, PrinterColumn } from './kind-definition.ts';

const age: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };
const state: PrinterColumn = { name: 'State', type: 'string', jsonPath: '.status.state' };
const targets: PrinterColumn = { name: 'Targets', type: 'integer', jsonPath: '.status.targetCount' };
const applied = condition('Applied');

/** A column with the status of a condition. */
function condition(type: string): PrinterColumn {
  return { name: type, type: 'string', jsonPath: `.status.conditions[?(@.type=="${type}")].status` };
}

/** All kinds, in the order of CRD installation and of the docs. */
export const kinds: readonly KindDefinition[] = [
  defineKind('KubernetesCluster', {
    group: MULTICLUSTER_GROUP,
    plural: 'kubernetesclusters',
    shortNames: ['kc'],
    nameSchema: dnsLabel,
    specSchema: kubernetesClusterSpec,
    statusSchema: kubernetesClusterStatus,
    printerColumns: [
      state,
      { name: 'Replica', type: 'string', jsonPath: '.status.connectedReplica', priority: 1 },
      { name: 'Lag', type: 'string', jsonPath: '.status.lag' },
      { name: 'Suspended', type: 'boolean', jsonPath: '.spec.suspended' },
      { name: 'Certificate Expiry', type: 'string', jsonPath: '.status.certificateExpiry', priority: 1 },
      age,
    ],
  }),
  defineKind('Mesh', {
    group: DISCOVERY_GROUP,
    plural: 'meshes',
    specSchema: meshSpec,
    statusSchema: meshStatus,
    printerColumns: [
      { name: 'Type', type: 'string', jsonPath: '.spec.type' },
      { name: 'Cluster', type: 'string', jsonPath: '.spec.cluster' },
      { name: 'Version', type: 'string', jsonPath: '.spec.installation.version' },
      { name: 'Trust Domain', type: 'string', jsonPath: '.spec.trustDomain' },
      { name: 'Virtual Mesh', type: 'string', jsonPath: '.status.appliedVirtualMesh.ref.name' },
      age,
    ],
  }),
  defineKind('Workload', {
    group: DISCOVERY_GROUP,
    plural: 'workloads',
    specSchema: workloadSpec,
    statusSchema: workloadStatus,
    printerColumns: [
      { name: 'Cluster', type: 'string', jsonPath: '.spec.kubernetes.controller.clusterName' },
      { name: 'Controller', type: 'string', jsonPath: '.spec.kubernetes.controller.kind' },
      { name: 'Service Account', type: 'string', jsonPath: '.spec.kubernetes.serviceAccountName', priority: 1 },
      { name: 'Mesh', type: 'string', jsonPath: '.spec.mesh.name' },
      age,
    ],
  }),
  defineKind('Destination', {
    group: DISCOVERY_GROUP,
    plural: 'destinations',
    shortNames: ['dest', 'traffictarget', 'traffictargets'],
    specSchema: destinationSpec,
    statusSchema: destinationStatus,
    printerColumns: [
      { name: 'Cluster', type: 'string', jsonPath: '.spec.kubeService.ref.clusterName' },
      { name: 'Type', type: 'string', jsonPath: '.spec.kubeService.serviceType', priority: 1 },
      { name: 'Mesh', type: 'string', jsonPath: '.spec.mesh.name' },
      { name: 'Federated Hostname', type: 'string', jsonPath: '.status.appliedFederation.federatedHostname' },
      age,
    ],
  }),
  defineKind('VirtualMesh', {
    group: NETWORKING_GROUP,
    plural: 'virtualmeshes',
    shortNames: ['vmesh'],
    specSchema: virtualMeshSpec,
    statusSchema: policyStatus,
    printerColumns: [
      state,
      applied,
      condition('TrustEstablished'),
      { name: 'Federation', type: 'string', jsonPath: '.spec.federation.mode', priority: 1 },
      { name: 'Global Access', type: 'string', jsonPath: '.spec.globalAccessPolicy', priority: 1 },
      age,
    ],
  }),
  defineKind('TrafficPolicy', {
    group: NETWORKING_GROUP,
    plural: 'trafficpolicies',
    shortNames: ['tp'],
    specSchema: trafficPolicySpec,
    statusSchema: policyStatus,
    printerColumns: [state, applied, targets, age],
  }),
  defineKind('AccessPolicy', {
    group: NETWORKING_GROUP,
    plural: 'accesspolicies',
    shortNames: ['ap'],
    specSchema: accessPolicySpec,
    statusSchema: policyStatus,
    printerColumns: [
      state,
      applied,
      { name: 'Action', type: 'string', jsonPath: '.spec.action', priority: 1 },
      targets,
      age,
    ],
  }),
  defineKind('VirtualDestination', {
    group: NETWORKING_GROUP,
    plural: 'virtualdestinations',
    shortNames: ['vd'],
    specSchema: virtualDestinationSpec,
    statusSchema: virtualDestinationStatus,
    printerColumns: [
      state,
      applied,
      { name: 'Hostname', type: 'string', jsonPath: '.spec.hostname' },
      { name: 'Address', type: 'string', jsonPath: '.status.address', priority: 1 },
      targets,
      age,
    ],
  }),
  defineKind('Workspace', {
    group: ADMIN_GROUP,
    plural: 'workspaces',
    shortNames: ['ws'],
    specSchema: workspaceSpec,
    statusSchema: policyStatus,
    printerColumns: [state, age],
  }),
  defineKind('WorkspaceSettings', {
    group: ADMIN_GROUP,
    plural: 'workspacesettings',
    shortNames: ['wss'],
    specSchema: workspaceSettingsSpec,
    statusSchema: policyStatus,
    printerColumns: [state, { name: 'Isolated', type: 'boolean', jsonPath: '.spec.options.serviceIsolation' }, age],
  }),
  defineKind('Settings', {
    group: ADMIN_GROUP,
    plural: 'settings',
    specSchema: settingsSpec,
    statusSchema: settingsStatus,
    printerColumns: [state, age],
  }),
  defineKind('Ledger', {
    group: ADMIN_GROUP,
    plural: 'ledgers',
    internal: true,
    specSchema: ledgerSpec,
    printerColumns: [age],
  }),
  defineKind('OutputLedger', {
    group: ADMIN_GROUP,
    plural: 'outputledgers',
    internal: true,
    specSchema: outputLedgerSpec,
    printerColumns: [
      { name: 'Term', type: 'integer', jsonPath: '.spec.term' },
      { name: 'Holder', type: 'string', jsonPath: '.spec.holder' },
      age,
    ],
  }),
  defineKind('XdsConfig', {
    group: AGENT_GROUP,
    plural: 'xdsconfigs',
    internal: true,
    specSchema: xdsConfigSpec,
    statusSchema: xdsConfigStatus,
    printerColumns: [age],
  }),
  defineKind('AccessLogConfig', {
    group: AGENT_GROUP,
    plural: 'accesslogconfigs',
    internal: true,
    specSchema: accessLogConfigSpec,
    printerColumns: [{ name: 'Workload', type: 'string', jsonPath: '.spec.workload' }, age],
  }),
  defineKind('IssuedCertificate', {
    group: CERTIFICATES_GROUP,
    plural: 'issuedcertificates',
    specSchema: issuedCertificateSpec,
    statusSchema: issuedCertificateStatus,
    printerColumns: [
      state,
      { name: 'Trust Domain', type: 'string', jsonPath: '.spec.trustDomain' },
      { name: 'Expiry', type: 'string', jsonPath: '.status.notAfter' },
      age,
    ],
  }),
  defineKind('AccessLogRecord', {
    group: EXTENSIONS_GROUP,
    plural: 'accesslogrecords',
    shortNames: ['alr'],
    specSchema: accessLogRecordSpec,
    statusSchema: policyStatus,
    printerColumns: [state, applied, targets, age],
  }),
  defineKind('WasmDeployment', {
    group: EXTENSIONS_GROUP,
    plural: 'wasmdeployments',
    shortNames: ['wasm'],
    specSchema: wasmDeploymentSpec,
    statusSchema: wasmDeploymentStatus,
    printerColumns: [state, applied, condition('Deployed'), targets, age],
  }),
];
