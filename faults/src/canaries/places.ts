/** Places to which secrets could have leaked: logs, other objects, metrics, APIs, snapshots, Redis. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultFleet } from '../fleet/fault-fleet.ts';
import type { Replica } from '../fleet/replica.ts';

/** A place and its content. */
export interface CanaryLocation {
  readonly name: string;
  readonly text: string;
}

/** All readable data of a fleet, except Secrets and the fleet's own credentials. */
export async function placesOf(fleet: FaultFleet): Promise<readonly CanaryLocation[]> {
  const pages = await Promise.all(
    fleet.replicas
      .filter(({ running }) => running)
      .flatMap(pagesOf)
      .map(read),
  );
  const dump = fleet.plan.redis ? [{ name: 'the dump of Redis', text: await fleet.redis.dump() }] : [];
  return [...logs(fleet), objects(fleet), ...pages, ...dump];
}

function logs({ folder }: FaultFleet): CanaryLocation[] {
  return readdirSync(folder.path)
    .filter((name) => name.endsWith('.log'))
    .map((name) => ({ name, text: readFileSync(join(folder.path, name), 'utf8') }));
}

/** All states of objects over time. */
function objects({ history }: FaultFleet): CanaryLocation {
  const others = history.since(0).filter(({ group, resource }) => !(group === '' && resource === 'secrets'));
  return { name: 'objects', text: JSON.stringify(others.map(({ object }) => object)) };
}

const RESOURCES = ['clusters', 'meshes', 'workloads', 'destinations', 'policies', 'outputs'];

function pagesOf({ program }: Replica): string[] {
  const { httpPort, healthPort, statsPort } = program.lines().find(({ msg }) => /started$/.test(String(msg))) ?? {};
  const at = (port: unknown, ...paths: readonly string[]): string[] =>
    port === undefined ? [] : paths.map((path) => `http://127.0.0.1:${Number(port)}${path}`);
  return [
    ...at(
      healthPort,
      '/healthz',
      '/readyz',
      ...(httpPort === undefined ? [] : ['/metrics', '/snapshots/input', '/snapshots/output']),
    ),
    ...at(statsPort, '/metrics'),
    ...at(httpPort, '/api/v1', ...RESOURCES.map((resource) => `/api/v1/${resource}`)),
  ];
}

async function read(url: string): Promise<CanaryLocation> {
  const response = await fetch(url);
  return { name: url, text: await response.text() };
}
