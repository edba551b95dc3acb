/** Changes clusters and Settings to control the server: suspend and resume, pause and unpause. */
import { ADMIN_API_VERSION, type KubeObject, type KubernetesClusterSpec, type SettingsSpec } from '@meshrelay/api';
import { isKubeError, type KubeConnection, meshrelayKind } from '@meshrelay/kube';
import { SETTINGS_NAME } from '@meshrelay/relay-core';
import { InputError } from '../problem.ts';
import { changeObject, createObject } from './change-object.ts';

/** The namespace in which a cluster is registered. */
export interface Registered {
  readonly management: KubeConnection;
  readonly namespace: string;
}

/**
 * Changes a cluster's registration.
 * @returns whether it differed
 * @throws InputError if it does not exist
 */
export async function setOnCluster(
  { management, namespace }: Registered,
  name: string,
  change: Partial<KubernetesClusterSpec>,
): Promise<boolean> {
  let changed = false;
  const stored = await changeObject(management, 'KubernetesCluster', { namespace, name }, (object) => {
    changed = specDiffers(object.spec, change);
    return changed ? withSpec(object, change) : undefined;
  });
  if (stored === undefined)
    throw new InputError(`cluster ${name} is not registered; meshctl cluster list shows the registered clusters`);
  return changed;
}

/**
 * Pauses or unpauses the fleet; creates the Settings object if it does not exist.
 * @returns whether it differed
 */
export async function pauseFleet({ management, namespace }: Registered, paused: boolean): Promise<boolean> {
  const change: Partial<SettingsSpec> = { paused };
  let changed = false;
  const where = { namespace, name: SETTINGS_NAME };
  const stored = await changeObject(management, 'Settings', where, (object) => {
    changed = specDiffers(object.spec, change);
    return changed ? withSpec(object, change) : undefined;
  });
  if (stored !== undefined) return changed;
  if (!paused) return false;
  const settings: KubeObject = { apiVersion: ADMIN_API_VERSION, kind: 'Settings', metadata: where, spec: change };
  try {
    await createObject(management, 'Settings', settings);
    return true;
  } catch (error) {
    // Another client has just created it, with unknown content.
    if (isKubeError(error, 'RELAY_E_KUBE_EXISTS')) return await pauseFleet({ management, namespace }, paused);
    throw error;
  }
}

/** Other reasons why a cluster gets no outputs, each with the command that ends it. */
export async function otherHolds(
  { management, namespace }: Registered,
  cluster: string,
  ended: 'paused' | 'suspended',
): Promise<readonly string[]> {
  const registered = await management.objects(meshrelayKind('KubernetesCluster')).read({ namespace, name: cluster });
  const settings = await management.objects(meshrelayKind('Settings')).read({ namespace, name: SETTINGS_NAME });
  const { suspended, paused } = (registered?.spec ?? {}) as KubernetesClusterSpec;
  const holds = [
    ended !== 'suspended' && suspended === true
      ? `${cluster} is suspended, so nothing is sent to it; end that with meshctl cluster resume ${cluster}`
      : undefined,
    ended !== 'paused' && paused === true
      ? `the outputs of ${cluster} are paused; end that with meshctl unpause ${cluster}`
      : undefined,
    (settings?.spec as SettingsSpec | undefined)?.paused === true
      ? 'the outputs of all clusters are paused; end that with meshctl unpause'
      : undefined,
  ];
  return holds.filter((hold) => hold !== undefined);
}

/** Whether a spec differs from the change; an unset field counts as false. */
export function specDiffers(spec: unknown, change: object): boolean {
  const now = (spec ?? {}) as Record<string, unknown>;
  return Object.entries(change).some(([field, value]) => (now[field] ?? false) !== value);
}

/** The object with these fields of its spec, and all others unchanged. */
export function withSpec(object: KubeObject, change: object): KubeObject {
  return { ...object, spec: { ...(object.spec as object), ...change } };
}
