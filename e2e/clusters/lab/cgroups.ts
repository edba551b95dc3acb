/** Control groups of the clusters, in cgroup v1 and v2. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@meshrelay/testing';

const ROOT = '/sys/fs/cgroup';
/** The hierarchies that kubelet and runc use. */
const HIERARCHIES = ['cpu', 'cpuacct', 'cpuset', 'memory', 'devices', 'freezer', 'blkio', 'pids', 'systemd', 'unified'];
/** The controllers that a kubelet needs in cgroup v2. */
export const CONTROLLERS = ['cpu', 'cpuset', 'memory', 'pids'];

/** Whether this machine has cgroup v2 alone. */
export function isUnified(): boolean {
  return existsSync(join(ROOT, 'cgroup.controllers'));
}

/** The roots of all hierarchies. */
export function hierarchies(): readonly string[] {
  if (isUnified()) return [ROOT];
  return HIERARCHIES.map((name) => join(ROOT, name)).filter((path) => existsSync(path));
}

/** Creates a cluster's group in each hierarchy, with a group `system` for its programs. @returns the folders */
export function createCgroups(name: string): readonly string[] {
  return hierarchies().map((hierarchy) => {
    const group = join(hierarchy, name);
    mkdirSync(join(group, 'system'), { recursive: true });
    for (const file of ['cpuset.cpus', 'cpuset.mems']) {
      const parent = join(hierarchy, file);
      if (isUnified() || !existsSync(parent)) continue;
      // A group of cgroup v1 has no processors until they are set.
      for (const folder of [group, join(group, 'system')]) writeFileSync(join(folder, file), readFileSync(parent));
    }
    if (isUnified())
      for (const folder of [hierarchy, group])
        writeFileSync(join(folder, 'cgroup.subtree_control'), CONTROLLERS.map((one) => `+${one}`).join(' '));
    return group;
  });
}

/** Removes the groups whose name begins so, with all groups below, once their processes have ended. */
export async function removeCgroups(prefix: string): Promise<void> {
  const groups = hierarchies().flatMap((hierarchy) =>
    readdirSync(hierarchy)
      .filter((name) => name.startsWith(prefix))
      .map((name) => join(hierarchy, name)),
  );
  for (const group of groups) {
    const removed = (): boolean => {
      removeTree(group);
      return true;
    };
    await eventually(`${group} has no processes`, removed, { deadline: 20_000 });
  }
}

/** Each group before the group that contains it. @throws Error while a process is in one */
function removeTree(group: string): void {
  for (const entry of readdirSync(group, { withFileTypes: true }))
    if (entry.isDirectory()) removeTree(join(group, entry.name));
  rmdirSync(group);
}
