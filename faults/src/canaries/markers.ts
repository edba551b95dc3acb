/** T14: data that must appear only where it belongs: keys, tokens, passwords, and the content of users' Secrets. */
import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { FaultFleet } from '../fleet/fault-fleet.ts';
import type { Write } from '../history/history.ts';

/** Public fields of Secrets: certificates, and values stored as a hash. */
const PUBLIC = /(\.crt$|^ca$|^tokens|^certificates|\.json$)/;
/** Lines of PEM below this length are not distinctive. */
const SHORTEST = 16;

/** Creates a Secret of a user in every workload cluster. Returns the markers in them. */
export function plantSecrets({ workloads }: FaultFleet): string[] {
  return workloads.map(({ sim }) => {
    const marker = `canary-${randomBytes(18).toString('hex')}`;
    const data = { password: Buffer.from(marker).toString('base64') };
    sim.objects.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'canary', namespace: 'default' }, data });
    return marker;
  });
}

/** Every private value that any Secret of the fleet has held. */
export function markersOf(writes: readonly Write[]): string[] {
  const secrets = writes.filter(({ group, resource }) => group === '' && resource === 'secrets');
  return secrets.flatMap(({ object }) => {
    const data = (object['data'] ?? {}) as Readonly<Record<string, string>>;
    return Object.entries(data)
      .filter(([field]) => !PUBLIC.test(field))
      .flatMap(([, value]) => linesOf(Buffer.from(value, 'base64').toString()));
  });
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= SHORTEST && !line.startsWith('-----'));
}
