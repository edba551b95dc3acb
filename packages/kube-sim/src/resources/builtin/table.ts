/** The built-in resources, as rows. */

import { customResourceDefinitionStrategy } from '../../crds/strategy.ts';
import { AGE } from '../../tables/builtin/column-builders.ts';
import * as core from '../../tables/builtin/core-columns.ts';
import { eventColumns, podColumns } from '../../tables/builtin/pod-columns.ts';
import * as workloads from '../../tables/builtin/workload-columns.ts';
import type { PrinterColumn } from '../../tables/column.ts';
import type { ResourceStrategy, SubresourceDefinition } from '../definition.ts';
import { pod } from './pod-strategy.ts';
import { service } from './service-strategy.ts';
import * as strategies from './strategies.ts';

/** Properties that differ between built-in resources; all others follow from the kind. */
export interface BuiltinRow {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly clusterScoped?: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly status?: boolean;
  readonly scale?: boolean;
  readonly columns?: readonly PrinterColumn[];
  readonly strategy?: ResourceStrategy;
  readonly subresources?: readonly SubresourceDefinition[];
  readonly selectableFields?: readonly string[];
  /** Sent as a warning with every reply. */
  readonly deprecationWarning?: string;
  /** Only POST: the object is a query that is not stored. */
  readonly review?: boolean;
}

const ALL = ['all'];
const POD_FIELDS = [
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
  'spec.hostNetwork',
  'status.phase',
  'status.podIP',
  'status.nominatedNodeName',
];
const EVENT_FIELDS = [
  'involvedObject.kind',
  'involvedObject.namespace',
  'involvedObject.name',
  'involvedObject.uid',
  'involvedObject.apiVersion',
  'involvedObject.resourceVersion',
  'involvedObject.fieldPath',
  'reason',
  'reportingComponent',
  'source',
  'type',
];
const TOKEN: SubresourceDefinition = {
  name: 'token',
  kind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
  verbs: ['create'],
};
const FINALIZE: SubresourceDefinition = {
  name: 'finalize',
  kind: { group: '', version: 'v1', kind: 'Namespace' },
  verbs: ['update'],
};

const { counted, rbac, returned, creatable } = strategies;

/** Every built-in resource. */
export const BUILTIN_ROWS: readonly BuiltinRow[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    plural: 'configmaps',
    shortNames: ['cm'],
    columns: core.configMapColumns,
    strategy: strategies.configMap,
  },
  {
    apiVersion: 'v1',
    kind: 'Endpoints',
    deprecationWarning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
    plural: 'endpoints',
    shortNames: ['ep'],
    columns: core.endpointsColumns,
    strategy: creatable,
  },
  {
    apiVersion: 'v1',
    kind: 'Event',
    plural: 'events',
    shortNames: ['ev'],
    columns: eventColumns,
    strategy: creatable,
    selectableFields: EVENT_FIELDS,
  },
  { apiVersion: 'v1', kind: 'LimitRange', plural: 'limitranges', shortNames: ['limits'], strategy: creatable },
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    plural: 'namespaces',
    clusterScoped: true,
    shortNames: ['ns'],
    status: true,
    columns: core.namespaceColumns,
    strategy: strategies.namespace,
    subresources: [FINALIZE],
    selectableFields: ['status.phase'],
  },
  {
    apiVersion: 'v1',
    kind: 'Node',
    plural: 'nodes',
    clusterScoped: true,
    shortNames: ['no'],
    status: true,
    columns: core.nodeColumns,
    strategy: strategies.node,
    selectableFields: ['spec.unschedulable'],
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    clusterScoped: true,
    shortNames: ['pv'],
    status: true,
    strategy: returned,
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    shortNames: ['pvc'],
    status: true,
    strategy: returned,
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    plural: 'pods',
    shortNames: ['po'],
    categories: ALL,
    status: true,
    columns: podColumns,
    strategy: pod,
    selectableFields: POD_FIELDS,
  },
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    plural: 'resourcequotas',
    shortNames: ['quota'],
    status: true,
    strategy: returned,
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    plural: 'secrets',
    columns: core.secretColumns,
    strategy: strategies.secret,
    selectableFields: ['type'],
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    plural: 'services',
    shortNames: ['svc'],
    categories: ALL,
    status: true,
    columns: core.serviceColumns,
    strategy: service,
    selectableFields: ['spec.clusterIP', 'spec.type'],
  },
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    shortNames: ['sa'],
    columns: core.serviceAccountColumns,
    strategy: returned,
    subresources: [TOKEN],
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    clusterScoped: true,
    strategy: counted,
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    plural: 'validatingadmissionpolicies',
    clusterScoped: true,
    status: true,
    strategy: counted,
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    plural: 'validatingadmissionpolicybindings',
    clusterScoped: true,
    strategy: counted,
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    clusterScoped: true,
    strategy: counted,
  },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    clusterScoped: true,
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    status: true,
    columns: core.createdAtColumns,
    strategy: customResourceDefinitionStrategy,
  },
  { apiVersion: 'apps/v1', kind: 'ControllerRevision', plural: 'controllerrevisions' },
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    plural: 'daemonsets',
    shortNames: ['ds'],
    categories: ALL,
    status: true,
    columns: workloads.daemonSetColumns,
    strategy: strategies.daemonSet,
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    plural: 'deployments',
    shortNames: ['deploy'],
    categories: ALL,
    status: true,
    scale: true,
    columns: workloads.deploymentColumns,
    strategy: strategies.deployment,
  },
  {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    plural: 'replicasets',
    shortNames: ['rs'],
    categories: ALL,
    status: true,
    scale: true,
    columns: workloads.replicaSetColumns,
    strategy: strategies.replicaSet,
    selectableFields: ['status.replicas'],
  },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    plural: 'statefulsets',
    shortNames: ['sts'],
    categories: ALL,
    status: true,
    scale: true,
    columns: workloads.statefulSetColumns,
    strategy: strategies.statefulSet,
  },
  {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'SelfSubjectReview',
    plural: 'selfsubjectreviews',
    clusterScoped: true,
    review: true,
  },
  {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    plural: 'tokenreviews',
    clusterScoped: true,
    review: true,
  },
  {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'LocalSubjectAccessReview',
    plural: 'localsubjectaccessreviews',
    review: true,
  },
  {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    plural: 'selfsubjectaccessreviews',
    clusterScoped: true,
    review: true,
  },
  {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectRulesReview',
    plural: 'selfsubjectrulesreviews',
    clusterScoped: true,
    review: true,
  },
  {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    plural: 'subjectaccessreviews',
    clusterScoped: true,
    review: true,
  },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    shortNames: ['hpa'],
    categories: ALL,
    status: true,
  },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    plural: 'cronjobs',
    shortNames: ['cj'],
    categories: ALL,
    status: true,
    columns: workloads.cronJobColumns,
    strategy: strategies.job,
  },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    plural: 'jobs',
    categories: ALL,
    status: true,
    columns: workloads.jobColumns,
    strategy: strategies.job,
  },
  {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    plural: 'leases',
    columns: core.leaseColumns,
    strategy: strategies.lease,
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    columns: core.endpointSliceColumns,
    strategy: counted,
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    plural: 'ingresses',
    shortNames: ['ing'],
    status: true,
    strategy: counted,
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    shortNames: ['netpol'],
    strategy: counted,
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    shortNames: ['pdb'],
    status: true,
    strategy: counted,
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    plural: 'clusterroles',
    clusterScoped: true,
    columns: core.createdAtColumns,
    strategy: rbac,
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    clusterScoped: true,
    columns: core.bindingColumns,
    strategy: strategies.binding,
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    plural: 'roles',
    columns: core.createdAtColumns,
    strategy: rbac,
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    plural: 'rolebindings',
    columns: core.bindingColumns,
    strategy: strategies.binding,
  },
];

/** Kinds that show only their age. */
export const AGE_ONLY: readonly PrinterColumn[] = [AGE];
