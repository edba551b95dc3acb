// Workspace: namespaces of clusters that belong to one team. Its policies apply there and to its imports, nowhere else.
import type * as z from 'zod/mini';
import type { ADMIN_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { labels, list } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { atMostOneOf } from '../schema/rule.ts';
import { name, text } from '../schema/scalar.ts';
import type { PolicyStatus } from '../shared/status.ts';

/** Selects namespaces of a cluster, by name or by labels; `{}` selects all. */
export interface WorkspaceNamespace {
  /** The namespace's name. */
  readonly name?: string;
  /** Labels of the Namespace object; every label must be present with exactly this value. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** The part of a workspace in one cluster, or in all clusters. */
export interface WorkspaceCluster {
  /** Name of a registered cluster; `*` means all of them, empty means the management cluster. */
  readonly name: string;
  /** Omitted or empty: all namespaces. */
  readonly namespaces?: readonly WorkspaceNamespace[];
}

/** Which namespaces belong together. */
export interface WorkspaceSpec {
  /** A namespace belongs to one workspace: the one accepted first. */
  readonly clusters: readonly WorkspaceCluster[];
}

/** Namespaces that belong together, in the management namespace of the management cluster. */
export interface Workspace extends KubeObject<WorkspaceSpec, PolicyStatus> {
  readonly apiVersion: typeof ADMIN_API_VERSION;
  readonly kind: 'Workspace';
}

const workspaceNamespace: z.ZodMiniType<WorkspaceNamespace> = object<WorkspaceNamespace>(
  'WorkspaceNamespace',
  { required: {}, optional: { name, labels } },
  [atMostOneOf<WorkspaceNamespace>('name', 'labels')],
);

const workspaceCluster: z.ZodMiniType<WorkspaceCluster> = object<WorkspaceCluster>('WorkspaceCluster', {
  required: { name: text },
  optional: { namespaces: list(workspaceNamespace) },
});

/** Schema of {@link WorkspaceSpec}. */
export const workspaceSpec: z.ZodMiniType<WorkspaceSpec> = object<WorkspaceSpec>('WorkspaceSpec', {
  required: { clusters: list(workspaceCluster, { minimum: 1 }) },
  optional: {},
});
