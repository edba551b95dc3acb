/**
 * Controller of the Lease holder that audits users' changes of tokens, clusters' certificates and the relay's CA, each
 * change once.
 */

import { coalesced } from '@meshrelay/concurrency';
import { type KindWatch, type KubeConnection, Secrets, type StoredSecret, watchSecret } from '@meshrelay/kube';
import { CERTIFICATES_SECRET, NEXT_ROOT_SECRET, TOKENS_SECRET } from '@meshrelay/pki';
import type { Logger } from '@meshrelay/telemetry';
import type { AuditLog } from '../audit/audit.ts';
import { type CredentialChange, type CredentialState, Credentials } from '../audit/credential-changes.ts';
import { requesterOf, withoutNotes } from '../audit/requester.ts';

export interface CredentialControllerOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly audit: AuditLog;
  readonly logger: Logger;
}

/**
 * The state audited last, so that the next Lease holder continues from there. It holds no secret data; as a Secret it
 * needs no further RBAC rule.
 */
export const AUDITED_SECRET = 'relay-audited';

/** The state of the audit, as JSON. */
interface Audited extends CredentialState {
  /** The request audited last of each Secret: its annotations stay on the object when other clients write it. */
  readonly requests?: Readonly<Record<string, string>>;
}

const KEY = 'state';

export class CredentialController implements AsyncDisposable {
  readonly #options: CredentialControllerOptions;
  readonly #secrets: Secrets;
  readonly #watches: readonly KindWatch[];
  #ended = false;

  constructor(options: CredentialControllerOptions) {
    const { connection, namespace } = options;
    this.#options = options;
    this.#secrets = new Secrets(connection, namespace);
    this.#watches = [TOKENS_SECRET, CERTIFICATES_SECRET, NEXT_ROOT_SECRET].map((name) =>
      watchSecret(connection, { namespace, name, changed: () => void this.check() }),
    );
  }

  /** Audits the changes. Never rejects. */
  readonly check: () => Promise<void> = coalesced(async () => {
    try {
      if (!this.#ended) await this.#check();
    } catch (error) {
      this.#options.logger.error(
        'changes of credentials cannot be audited now; the server retries at the next change',
        {
          error,
        },
      );
    }
  });

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#watches.map((watch) => watch[Symbol.asyncDispose]()));
    await this.check();
  }

  async #check(): Promise<void> {
    const [tokens, certificates, rotation] = [
      await this.#secrets.read(TOKENS_SECRET),
      await this.#secrets.read(CERTIFICATES_SECRET),
      await this.#secrets.read(NEXT_ROOT_SECRET),
    ];
    const now = new Credentials({ tokens: tokens?.data, certificates: certificates?.data, rotation: rotation?.data });
    const before = await this.#audited();
    const requests = { ...before?.requests };
    // State from before the first audit is not a change.
    if (before !== undefined) {
      this.#announce(now.tokensSince(before), tokens, requests);
      this.#announce(now.certificatesSince(before), certificates, requests);
      this.#announce(now.rotationSince(before), rotation, requests);
    }
    const state = JSON.stringify({ ...now.state, requests } satisfies Audited);
    if (before === undefined || state !== JSON.stringify(before))
      await this.#secrets.update(AUDITED_SECRET, (data) => ({ ...data, [KEY]: state }));
  }

  async #audited(): Promise<Audited | undefined> {
    const text = (await this.#secrets.read(AUDITED_SECRET))?.data[KEY];
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as Audited;
    } catch {
      this.#options.logger.warn('the record of audited credentials cannot be read and is started again', {
        object: `Secret ${AUDITED_SECRET}`,
      });
      return undefined;
    }
  }

  #announce(
    changes: readonly CredentialChange[],
    secret: StoredSecret | undefined,
    requests: Record<string, string>,
  ): void {
    if (changes.length === 0) return;
    const noted = requesterOf(secret?.object);
    const name = secret?.name ?? '';
    const isOld = noted.requestId !== undefined && noted.requestId === requests[name];
    const requester = isOld ? requesterOf(withoutNotes(secret?.object)) : noted;
    if (noted.requestId !== undefined) requests[name] = noted.requestId;
    for (const change of changes) this.#options.audit.record({ ...change, outcome: 'done', ...requester });
  }
}
