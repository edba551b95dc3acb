/** Workspaces of a fleet: one for the namespace of each edited policy, one for {@link TEAMS} of the others. */
import type { KubeObject, WorkspaceSettings, WorkspaceSettingsSpec } from '@meshrelay/api';
import {
  EDITED_DESTINATIONS,
  EDITED_POLICIES,
  type FleetShape,
  namespaceOf,
  serviceName,
  teamNamespaces,
} from './shape.ts';

const API_VERSION = 'admin.meshrelay.dev/v1alpha1';
/** Namespaces of a workspace whose policies are not edited. */
const TEAMS = 10;
/** Scope of an edited policy: everything that its workspace has and imports. */
export const WORKSPACE_DESTINATIONS: number = EDITED_DESTINATIONS + 1;

/**
 * Each exports all services of one name to the next; those of edited policies form a separate ring. `{}` if the fleet
 * has none.
 */
export function* workspaceObjects(shape: FleetShape): Generator<KubeObject> {
  if (shape.workspaces !== true) return;
  for (let position = 0; position < EDITED_POLICIES; position++) {
    const namespace = namespaceOf(position * EDITED_DESTINATIONS);
    yield workspace(namespace, [namespace]);
    yield settings(namespace, {
      exportTo: [{ ...to(`edited-${(position + 1) % EDITED_POLICIES}`), ...shared(position * EDITED_DESTINATIONS) }],
      importFrom: [to(`edited-${(position + EDITED_POLICIES - 1) % EDITED_POLICIES}`)],
    });
  }
  const count = Math.ceil(teamNamespaces(shape) / TEAMS);
  for (let position = 0; position < count; position++) {
    const namespaces = Array.from({ length: TEAMS }, (_, team) => `team-${position * TEAMS + team}`);
    yield workspace(`teams-${position}`, namespaces);
    yield settings(`team-${position * TEAMS}`, {
      exportTo: [to(`teams-${(position + 1) % count}`)],
      importFrom: [to(`teams-${(position + count - 1) % count}`)],
    });
  }
}

function to(name: string): { readonly workspace: { readonly name: string } } {
  return { workspace: { name } };
}

function shared(service: number): Pick<NonNullable<WorkspaceSettingsSpec['exportTo']>[number], 'resources'> {
  return { resources: [{ kind: 'Destination', labels: { app: serviceName(service) } }] };
}

/** In all clusters, the management cluster included: its policies are there. */
function workspace(name: string, names: readonly string[]): KubeObject {
  const namespaces = names.map((each) => ({ name: each }));
  return {
    apiVersion: API_VERSION,
    kind: 'Workspace',
    metadata: { name, namespace: 'meshrelay', generation: 1 },
    spec: { clusters: ['*', ''].map((cluster) => ({ name: cluster, namespaces })) },
  } as unknown as KubeObject;
}

function settings(namespace: string, spec: WorkspaceSettingsSpec): WorkspaceSettings {
  const metadata = { name: 'settings', namespace, generation: 1 };
  return { apiVersion: API_VERSION, kind: 'WorkspaceSettings', metadata, spec };
}
