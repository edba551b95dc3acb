// WorkspaceSettings: what a workspace exports, imports and isolates.
import type * as z from 'zod/mini';
import type { ADMIN_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { labels, list } from '../schema/collection.ts';
import { object } from '../schema/object.ts';
import { flag, name, oneOf } from '../schema/scalar.ts';
import type { PolicyStatus } from '../shared/status.ts';

/** Names a Workspace. */
export interface WorkspaceRef {
  /** The Workspace's name. */
  readonly name: string;
}

/** Selects exported or imported objects; all given fields must match. */
export interface WorkspaceResource {
  /** The kind of the objects. */
  readonly kind: 'Destination';
  /** Labels of the Service; every label must be present with exactly this value. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Omitted: any namespace of the workspace. */
  readonly namespace?: string;
}

/** Exports to, or imports from, one other workspace. */
export interface WorkspaceShare {
  /** The other workspace. */
  readonly workspace: WorkspaceRef;
  /** Omitted or empty: everything. */
  readonly resources?: readonly WorkspaceResource[];
}

/** Options of a workspace towards all others. */
export interface WorkspaceOptions {
  /**
   * Only callers of the workspace, and of workspaces that import a destination, can reach it, unless an AccessPolicy
   * decides.
   */
  readonly serviceIsolation?: boolean;
}

/** Exports, imports and options of a workspace. */
export interface WorkspaceSettingsSpec {
  /** What other workspaces may import. */
  readonly exportTo?: readonly WorkspaceShare[];
  /** What this workspace uses of others, as far as they export it. */
  readonly importFrom?: readonly WorkspaceShare[];
  readonly options?: WorkspaceOptions;
}

/** The settings of the workspace that owns the object's namespace; of several objects, those accepted first apply. */
export interface WorkspaceSettings extends KubeObject<WorkspaceSettingsSpec, PolicyStatus> {
  readonly apiVersion: typeof ADMIN_API_VERSION;
  readonly kind: 'WorkspaceSettings';
}

const workspaceRef: z.ZodMiniType<WorkspaceRef> = object<WorkspaceRef>('WorkspaceRef', {
  required: { name },
  optional: {},
});

const workspaceResource: z.ZodMiniType<WorkspaceResource> = object<WorkspaceResource>('WorkspaceResource', {
  required: { kind: oneOf('Destination') },
  optional: { labels, namespace: name },
});

const workspaceShare: z.ZodMiniType<WorkspaceShare> = object<WorkspaceShare>('WorkspaceShare', {
  required: { workspace: workspaceRef },
  optional: { resources: list(workspaceResource) },
});

const workspaceOptions: z.ZodMiniType<WorkspaceOptions> = object<WorkspaceOptions>('WorkspaceOptions', {
  required: {},
  optional: { serviceIsolation: flag },
});

/** Schema of {@link WorkspaceSettingsSpec}. */
export const workspaceSettingsSpec: z.ZodMiniType<WorkspaceSettingsSpec> = object<WorkspaceSettingsSpec>(
  'WorkspaceSettingsSpec',
  {
    required: {},
    optional: { exportTo: list(workspaceShare), importFrom: list(workspaceShare), options: workspaceOptions },
  },
);
