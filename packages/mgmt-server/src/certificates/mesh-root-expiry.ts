/** Tells when the first of the roots of virtual meshes ends: nobody else looks at them between two signatures, which may be months apart. */
import { clearInterval, setInterval } from 'node:timers';
import type { CertificateIssuer, VirtualMesh } from '@meshrelay/api';
import type { GaugeMetric, Logger } from '@meshrelay/telemetry';
import { coalesced } from '../identity/coalesced.ts';
import type { Fleet } from '../store/fleet.ts';
import type { MeshRoots } from './mesh-roots.ts';

export interface MeshRootExpiryOptions {
  readonly fleet: Pick<Fleet, 'world' | 'listen'>;
  readonly roots: Pick<MeshRoots, 'known'>;
  readonly expiry: GaugeMetric<'certificate'>;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** Milliseconds between two looks while no VirtualMesh changes. */
const PERIOD = 3_600_000;
/** Milliseconds before its end from which a root is warned of at every look. */
const WARN = 30 * 86_400_000;

export class MeshRootExpiry implements Disposable {
  readonly #options: MeshRootExpiryOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #unlisten: () => void;

  constructor(options: MeshRootExpiryOptions) {
    this.#options = options;
    const { fleet } = options;
    this.#timer = setInterval(() => void this.check(), PERIOD).unref();
    this.#unlisten = fleet.listen((changes) => {
      for (const { before, after } of changes.of(fleet.world.policies))
        if ((after ?? before)?.ref.kind === 'VirtualMesh') return void this.check();
    });
    void this.check();
  }

  /** One look. Never rejects: a root that cannot be looked at is told in the log, and does not count. */
  readonly check: () => Promise<void> = coalesced(() => this.#check());

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#unlisten();
  }

  async #check(): Promise<void> {
    const { expiry, now, logger } = this.#options;
    let first: Date | undefined;
    for (const issuer of this.#issuers()) {
      const end = await this.#endOf(issuer);
      if (end === undefined) continue;
      if (first === undefined || end < first) first = end;
      if (end.getTime() - now().getTime() < WARN)
        logger.warn('the root of a virtual mesh ends soon; replace its Secret', {
          virtualMesh: issuer.virtualMesh,
          expires: end.toISOString(),
        });
    }
    if (first === undefined) expiry.remove({ certificate: 'mesh-root' });
    else expiry.set(first.getTime() / 1000, { certificate: 'mesh-root' });
  }

  async #endOf(issuer: CertificateIssuer): Promise<Date | undefined> {
    try {
      return (await this.#options.roots.known(issuer))?.authority.certificate.notAfter;
    } catch (error) {
      const { virtualMesh } = issuer;
      this.#options.logger.warn('the root of a virtual mesh cannot be looked at', { virtualMesh, error });
      return undefined;
    }
  }

  /** As the members' IssuedCertificates name them. */
  *#issuers(): Generator<CertificateIssuer> {
    for (const [, { ref, object }] of this.#options.fleet.world.policies.entries()) {
      if (ref.kind !== 'VirtualMesh') continue;
      const { shared } = (object as VirtualMesh).spec.mtlsConfig ?? {};
      const virtualMesh = { name: ref.name, namespace: ref.namespace };
      if (shared !== undefined) yield { virtualMesh, ...shared.rootCertificateAuthority };
    }
  }
}
