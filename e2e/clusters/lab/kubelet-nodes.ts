/** Nodes, each with a kubelet and containerd. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@meshrelay/testing';
import { createCgroups } from './cgroups.ts';
import type { ClusterNodes } from './cluster-nodes.ts';
import { run } from './command.ts';
import { containerdConfig, containerdSocket, type KubeletParts, writeKubeletFiles } from './kubelet-files.ts';
import { STEP_WITHIN } from './waiting.ts';

export function kubeletNodes(parts: KubeletParts): ClusterNodes {
  const { folder, nodes, groups, debian } = parts;
  const containerd = (node: string, ...args: readonly string[]): Promise<string> => {
    const named = ['-a', containerdSocket(folder, node), '-n', 'k8s.io', ...args];
    return run('ctr', named, { env: debian.env, timeout: STEP_WITHIN });
  };
  return {
    env: debian.env,
    setup: 'kubelet-setup.sh',
    early: nodes.map((node) => [`containerd-${node}`, 'containerd', '-c', containerdConfig(folder, node)]),
    writeFiles: () => {
      writeKubeletFiles(parts);
      // The first group has the programs of the whole cluster, too.
      const [first = []] = nodes.map((node) => createCgroups(`${groups}${node}`));
      writeFileSync(join(folder, 'cgroups'), first.map((path) => `${path}\n`).join(''));
    },
    start: async () => new AsyncDisposableStack(),
    importImages: async (archives) => {
      for (const node of nodes) {
        await eventually(`containerd of ${node} answers`, async () => (await containerd(node, 'version')) !== '', {
          deadline: STEP_WITHIN,
        });
        for (const archive of archives) await containerd(node, 'images', 'import', archive);
      }
    },
  };
}
