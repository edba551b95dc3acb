/** When the first of the roots of virtual meshes ends is told, whoever made them. */
import type { CertificateIssuer, VirtualMesh } from '@meshrelay/api';
import { createLogger, createMetrics } from '@meshrelay/telemetry';
import { assert, eventually, test } from '@meshrelay/testing';
import { MeshRootExpiry } from '../../src/certificates/mesh-root-expiry.ts';
import { virtualMesh } from '../support/discovered.ts';
import { declare, newFleet } from '../support/fleet.ts';

const NOW = new Date('2030-06-15T12:00:00Z');
const days = (count: number): Date => new Date(NOW.getTime() + count * 86_400_000);

function shared(name: string, secret?: string): VirtualMesh {
  const object = virtualMesh(name, ['c1']) as VirtualMesh;
  const rootCertificateAuthority = secret === undefined ? {} : { secret: { name: secret, namespace: 'meshrelay' } };
  return { ...object, spec: { ...object.spec, mtlsConfig: { shared: { rootCertificateAuthority } } } };
}

test('it is the first of those that are there; one that cannot be read is named in the log', async () => {
  const ends = new Map([['made', days(20)]]);
  const known = (issuer: CertificateIssuer) => {
    const name = issuer.secret?.name ?? issuer.virtualMesh.name;
    if (name === 'broken') return Promise.reject(new Error('Secret meshrelay/broken holds no usable root'));
    const notAfter = ends.get(name);
    return Promise.resolve(
      notAfter === undefined ? undefined : ({ authority: { certificate: { notAfter } } } as never),
    );
  };
  const fleet = newFleet();
  const metrics = createMetrics();
  const expiry = metrics.gauge({ name: 'expiry', help: 'Ends.', labels: ['certificate'] });
  const told = async (): Promise<string | undefined> =>
    /certificate="mesh-root"} (\d+)/.exec(await metrics.text())?.[1];
  const log: string[] = [];
  const logger = createLogger({ name: 'test', level: 'info', destination: { write: (line) => log.push(line) } });
  using looking = new MeshRootExpiry({ fleet, roots: { known }, expiry, now: () => NOW, logger });
  await looking.check();
  assert.is(await told(), undefined, 'there is no virtual mesh');

  const plain = virtualMesh('plain', ['c1']);
  await declare(fleet, shared('made'), shared('unmade'), shared('own', 'own'), shared('lost', 'broken'), plain);
  await eventually('the first is told', async () => (await told()) === String(days(20).getTime() / 1000));
  assert.ok(
    log.some((line) => line.includes('ends soon') && line.includes('"made"')),
    log.join(),
  );
  assert.ok(
    log.some((line) => line.includes('cannot be looked at') && line.includes('"lost"')),
    log.join(),
  );
  ends.set('own', days(3));
  await looking.check();
  assert.is(await told(), String(days(3).getTime() / 1000));
  ends.clear();
  await looking.check();
  assert.is(await told(), undefined, 'none is left');
});

test.run();
