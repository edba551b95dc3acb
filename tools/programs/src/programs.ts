/** The programs that are built. */
import { join, relative } from 'node:path';

/** The root of the checkout. */
export const ROOT: string = join(import.meta.dirname, '../../..');

/** The entry of each program. `npm test -- --changed` reads from these paths what a build is made of. */
export const programs = {
  'access-log-sink': '../../../packages/access-log-sink/src/main.ts',
  agent: '../../../packages/agent/src/main.ts',
  'kube-sim': '../../../packages/kube-sim/src/main.ts',
  meshctl: '../../../packages/cli/src/main.ts',
  'mgmt-server': '../../../packages/mgmt-server/src/main.ts',
} as const;

export type ProgramName = keyof typeof programs;

/** The entries as paths from the root. */
export const entries: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(programs).map(([name, path]) => [name, relative(ROOT, join(import.meta.dirname, path))]),
);

/** Folders that a program reads at run time. A build has them at the same paths. */
export const assets: Readonly<Partial<Record<ProgramName, readonly string[]>>> = {
  meshctl: ['charts/meshrelay', 'charts/meshrelay-agent', 'packages/create-mesh-plugin/template'],
};
