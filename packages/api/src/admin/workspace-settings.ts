// WorkspaceSettings: what a workspace shares with others, takes from others, and keeps to itself.
import type { z } from 'zod';
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

/** Selects what a workspace shares or takes; all that is given must hold. */
export interface WorkspaceResource {
  /** The kind of what is shared. */
  readonly kind: 'Destination';
  /** Labels of the Service; every one must be present with this very value. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Omitted: any namespace of the workspace. */
  readonly namespace?: string;
}

/** What is shared with, or taken from, one other workspace. */
export interface WorkspaceShare {
  /** The other workspace. */
  readonly workspace: WorkspaceRef;
  /** Omitted or empty: everything. */
  readonly resources?: readonly WorkspaceResource[];
}

/** How a workspace behaves towards all others. */
export interface WorkspaceOptions {
  /** Only callers of the workspace, and of those that import a destination, reach it, where no AccessPolicy says who does. */
  readonly serviceIsolation?: boolean;
}

/** What a workspace shares, takes and keeps to itself. */
export interface WorkspaceSettingsSpec {
  /** What other workspaces may import. */
  readonly exportTo?: readonly WorkspaceShare[];
  /** What this workspace uses of others, as far as they export it. */
  readonly importFrom?: readonly WorkspaceShare[];
  readonly options?: WorkspaceOptions;
}

/** The settings of the workspace whose namespace the object is in; of several, those accepted first count. */
export interface WorkspaceSettings extends KubeObject<WorkspaceSettingsSpec, PolicyStatus> {
  readonly apiVersion: typeof ADMIN_API_VERSION;
  readonly kind: 'WorkspaceSettings';
}

const workspaceRef: z.ZodType<WorkspaceRef> = object<WorkspaceRef>('WorkspaceRef', {
  required: { name },
  optional: {},
});

const workspaceResource: z.ZodType<WorkspaceResource> = object<WorkspaceResource>('WorkspaceResource', {
  required: { kind: oneOf('Destination') },
  optional: { labels, namespace: name },
});

const workspaceShare: z.ZodType<WorkspaceShare> = object<WorkspaceShare>('WorkspaceShare', {
  required: { workspace: workspaceRef },
  optional: { resources: list(workspaceResource) },
});

const workspaceOptions: z.ZodType<WorkspaceOptions> = object<WorkspaceOptions>('WorkspaceOptions', {
  required: {},
  optional: { serviceIsolation: flag },
});

/** Schema of {@link WorkspaceSettingsSpec}. */
export const workspaceSettingsSpec: z.ZodType<WorkspaceSettingsSpec> = object<WorkspaceSettingsSpec>(
  'WorkspaceSettingsSpec',
  {
    required: {},
    optional: { exportTo: list(workspaceShare), importFrom: list(workspaceShare), options: workspaceOptions },
  },
);
