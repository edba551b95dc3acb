/** The schemas of the built-in kinds, by apiVersion and kind. */
import type { SchemaNode } from '../object.ts';
import { customResourceDefinition } from './apiextensions.ts';
import { daemonSet, deployment, replicaSet, statefulSet } from './apps.ts';
import { cronJob, job } from './batch.ts';
import { lease } from './coordination.ts';
import { configMap, event, namespace, secret, serviceAccount } from './core-config.ts';
import { node } from './core-node.ts';
import { pod } from './core-pod.ts';
import { endpoints, service } from './core-service.ts';
import { endpointSlice } from './discovery.ts';
import { clusterRole, clusterRoleBinding, role, roleBinding } from './rbac.ts';

const SCHEMAS: { readonly [apiVersion: string]: { readonly [kind: string]: SchemaNode } } = {
  v1: {
    ConfigMap: configMap,
    Endpoints: endpoints,
    Event: event,
    Namespace: namespace,
    Node: node,
    Pod: pod,
    Secret: secret,
    Service: service,
    ServiceAccount: serviceAccount,
  },
  'apiextensions.k8s.io/v1': { CustomResourceDefinition: customResourceDefinition },
  'apps/v1': { DaemonSet: daemonSet, Deployment: deployment, ReplicaSet: replicaSet, StatefulSet: statefulSet },
  'batch/v1': { CronJob: cronJob, Job: job },
  'coordination.k8s.io/v1': { Lease: lease },
  'discovery.k8s.io/v1': { EndpointSlice: endpointSlice },
  'rbac.authorization.k8s.io/v1': {
    ClusterRole: clusterRole,
    ClusterRoleBinding: clusterRoleBinding,
    Role: role,
    RoleBinding: roleBinding,
  },
};

/** The schema of a built-in kind (`apps/v1`, `Deployment`), or undefined when this package has none. */
export function builtinSchema(apiVersion: string, kind: string): SchemaNode | undefined {
  return SCHEMAS[apiVersion]?.[kind];
}

/** Every built-in kind that has a schema, as `[apiVersion, kind]`. */
export function builtinKinds(): [apiVersion: string, kind: string][] {
  return Object.entries(SCHEMAS).flatMap(([apiVersion, kinds]) =>
    Object.keys(kinds).map((kind): [string, string] => [apiVersion, kind]),
  );
}
