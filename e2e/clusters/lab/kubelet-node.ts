/** A node with kubelet, kube-proxy and containerd. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@meshrelay/testing';
import { createCgroups } from './cgroups.ts';
import type { ClusterNode } from './cluster-node.ts';
import { run } from './command.ts';
import { containerdSocket, type KubeletParts, writeKubeletFiles } from './kubelet-files.ts';
import { STEP_WITHIN } from './waiting.ts';

export function kubeletNode(parts: KubeletParts): ClusterNode {
  const { folder, group, debian } = parts;
  const containerd = (...args: readonly string[]): Promise<string> =>
    run('ctr', ['-a', containerdSocket(folder), '-n', 'k8s.io', ...args], { env: debian.env, timeout: STEP_WITHIN });
  return {
    env: debian.env,
    setup: 'kubelet-setup.sh',
    early: [['containerd', 'containerd', '-c', join(folder, 'containerd.toml')]],
    writeFiles: () => {
      writeKubeletFiles(parts);
      const groups = createCgroups(group).map((path) => `${path}\n`);
      writeFileSync(join(folder, 'cgroups'), groups.join(''));
    },
    start: async () => new AsyncDisposableStack(),
    importImages: async (archives) => {
      await eventually('containerd answers', async () => (await containerd('version')) !== '', {
        deadline: STEP_WITHIN,
      });
      for (const archive of archives) await containerd('images', 'import', archive);
    },
  };
}
