/**
 * Desired state of every cluster, by `meshctl translate`: from the fleet's objects as files alone, independent of the
 * running programs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import type { KubeObject } from '@meshrelay/api';
import type { RunningCluster } from '@meshrelay/local-fleet';
import { builtProgram } from '@meshrelay/programs';
import type { FaultFleet } from '../fleet/fault-fleet.ts';

/** A desired object of a cluster. */
export interface Expected {
  readonly cluster: string;
  readonly object: KubeObject;
}

/**
 * @param without clusters that are not registered (any more)
 * @throws Error with meshctl's message if it rejects the fleet's objects
 */
export async function translateOffline(
  { management, workloads: all, folder }: FaultFleet,
  without: readonly string[] = [],
): Promise<readonly Expected[]> {
  const workloads = all.filter(({ plan }) => !without.includes(plan.name));
  const config = management.sim.snapshot().filter(isConfiguration);
  const ledgers = config.filter(({ kind }) => kind === 'Ledger');
  const list = (name: string, items: readonly object[]): string =>
    folder.write(`offline-${name}.json`, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  const args = [
    'translate',
    ...['-o', 'json'],
    ...workloads.flatMap((cluster) => [
      '--cluster',
      `${cluster.plan.name}=${list(cluster.plan.name, readable(cluster))}`,
    ]),
    ...[
      '--config',
      list(
        'management',
        config.filter((object) => !ledgers.includes(object)),
      ),
    ],
    ...(ledgers.length === 0 ? [] : ['--ledger', list('ledger', ledgers)]),
  ];
  const { items } = JSON.parse(await meshctl(args)) as { readonly items: readonly Expected[] };
  return items;
}

/** Excludes private objects, and objects that are not input of the product. */
function readable({ sim }: RunningCluster): object[] {
  return sim.snapshot().filter(({ kind }) => kind !== 'Secret' && kind !== 'CustomResourceDefinition');
}

/** Users' configuration, and the decisions about it. */
function isConfiguration({ apiVersion }: { readonly apiVersion: string }): boolean {
  return /^[a-z]+\.meshrelay\.dev\//.test(apiVersion) && !apiVersion.startsWith('discovery.');
}

async function meshctl(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [builtProgram('meshctl'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  // Exit code 2 reports a policy that is not accepted; the row decides whether that matters.
  if (code !== 0 && code !== 2) throw new Error(`meshctl translate ended with ${code}: ${stderr.trim()}`);
  return stdout;
}
