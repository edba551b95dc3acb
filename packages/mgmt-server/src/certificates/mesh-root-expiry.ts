/**
 * Reports when the first root of the virtual meshes expires, and which roots expire before the intermediates they must
 * sign. No other code checks roots between two signatures, which may be months apart.
 */
import { clearInterval, setInterval } from 'node:timers';
import { type CertificateIssuer, INTERMEDIATE_DAYS, type VirtualMesh } from '@meshrelay/api';
import { coalesced } from '@meshrelay/concurrency';
import { type Key, policyKey, type ShortLivedRoot } from '@meshrelay/relay-core';
import type { GaugeMetric, Logger } from '@meshrelay/telemetry';
import type { Fleet } from '../store/fleet.ts';
import type { MeshRoots } from './mesh-roots.ts';

export interface MeshRootExpiryOptions {
  readonly fleet: Pick<Fleet, 'fleetState' | 'listen' | 'write'>;
  readonly roots: Pick<MeshRoots, 'known' | 'secretOf'>;
  readonly expiry: GaugeMetric<'certificate'>;
  readonly now: () => Date;
  readonly logger: Logger;
}

const DAY = 86_400_000;
/** Milliseconds between two checks while no VirtualMesh changes. */
const PERIOD = 3_600_000;
/** Milliseconds before expiry from which each check logs a warning. */
const WARN = 30 * DAY;

export class MeshRootExpiry implements Disposable {
  readonly #options: MeshRootExpiryOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #unlisten: () => void;

  constructor(options: MeshRootExpiryOptions) {
    this.#options = options;
    const { fleet } = options;
    this.#timer = setInterval(() => void this.check(), PERIOD).unref();
    this.#unlisten = fleet.listen((changes) => {
      for (const { before, after } of changes.of(fleet.fleetState.policies))
        if ((after ?? before)?.ref.kind === 'VirtualMesh') return void this.check();
    });
    void this.check();
  }

  /** One check. Never rejects: a root that cannot be read is logged and does not count. */
  readonly check: () => Promise<void> = coalesced(() => this.#check());

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#unlisten();
  }

  async #check(): Promise<void> {
    const { expiry, now, logger, roots } = this.#options;
    let first: Date | undefined;
    const shortLived = new Map<Key, ShortLivedRoot | 'unknown'>();
    for (const { key, issuer, days } of this.#issuers()) {
      const end = await this.#endOf(issuer);
      if (end === 'unknown') shortLived.set(key, end);
      if (end === undefined || end === 'unknown') continue;
      if (first === undefined || end < first) first = end;
      const left = end.getTime() - now().getTime();
      if (left < days * DAY) shortLived.set(key, { secret: roots.secretOf(issuer), notAfter: end.toISOString() });
      if (left < WARN)
        logger.warn('the root of a virtual mesh expires soon; replace its Secret', {
          virtualMesh: issuer.virtualMesh,
          expires: end.toISOString(),
        });
    }
    if (first === undefined) expiry.remove({ certificate: 'mesh-root' });
    else expiry.set(first.getTime() / 1000, { certificate: 'mesh-root' });
    await this.#note(shortLived);
  }

  /** Updates the VirtualMeshes. A root that cannot be read now keeps its last note. */
  async #note(found: ReadonlyMap<Key, ShortLivedRoot | 'unknown'>): Promise<void> {
    const { fleet } = this.#options;
    const before = new Map(fleet.fleetState.shortLivedRoots.entries());
    const gone = [...before.keys()].filter((key) => !found.has(key));
    const pendingUpdates = [...found].flatMap(([key, root]) =>
      root === 'unknown' || before.get(key)?.notAfter === root.notAfter ? [] : [[key, root] as const],
    );
    if (gone.length + pendingUpdates.length === 0) return;
    await fleet.write((transaction, { shortLivedRoots }) => {
      for (const key of gone) transaction.delete(shortLivedRoots, key);
      for (const [key, root] of pendingUpdates) transaction.set(shortLivedRoots, key, root);
    });
  }

  async #endOf(issuer: CertificateIssuer): Promise<Date | 'unknown' | undefined> {
    try {
      return (await this.#options.roots.known(issuer))?.authority.certificate.notAfter;
    } catch (error) {
      const { virtualMesh } = issuer;
      this.#options.logger.warn('the root of a virtual mesh cannot be read', { virtualMesh, error });
      return 'unknown';
    }
  }

  /** Issuers as the members' IssuedCertificates name them, with the lifetime of intermediates in days. */
  *#issuers(): Generator<{ readonly key: Key; readonly issuer: CertificateIssuer; readonly days: number }> {
    for (const [, { ref, object }] of this.#options.fleet.fleetState.policies.entries()) {
      if (ref.kind !== 'VirtualMesh') continue;
      const { shared } = (object as VirtualMesh).spec.mtlsConfig ?? {};
      if (shared === undefined) continue;
      const virtualMesh = { name: ref.name, namespace: ref.namespace };
      const { ttlDays: days = INTERMEDIATE_DAYS } = shared.intermediateCertOptions ?? {};
      yield { key: policyKey(ref), issuer: { virtualMesh, ...shared.rootCertificateAuthority }, days };
    }
  }
}
