/**
 * Rotates the relay's root CA, step by step, each after every agent has completed the previous one. After any
 * interruption, the same command continues the rotation.
 */
import type { KubernetesCluster } from '@meshrelay/api';
import { type KubeConnection, meshrelayKind, type SecretData, Secrets, type StoredSecret } from '@meshrelay/kube';
import {
  beginSwitch,
  CERTIFICATES_SECRET,
  type CertificateRegistry,
  dropPreviousSigning,
  keyHashOf,
  NEXT_ROOT_SECRET,
  newRoot,
  phaseOf,
  readCertificateBook,
  readCertificates,
  readTrustBundle,
  switchRoot,
  switchServer,
  switchSigning,
  trustBoth,
  trustOne,
  turnBack,
} from '@meshrelay/pki';
import { OWNER_LABEL, ROOT_SECRET, SERVER_SECRET, SIGNING_SECRET } from '@meshrelay/relay-core';
import { InputError } from '../problem.ts';
import { requestNotes } from './requester.ts';
import { waitUntil } from './wait-until.ts';

export interface CaRotation {
  readonly management: KubeConnection;
  readonly namespace: string;
  /** Clusters that are not waited for; their agents must register again if they miss the rotation. */
  readonly without: readonly string[];
  /** Milliseconds that a step waits for the agents. */
  readonly timeout: number;
  readonly signal?: AbortSignal;
  readonly now: () => Date;
  /** Called after each step. */
  readonly step: (text: string) => void;
}

/**
 * Continues a rotation from its current step, or starts one, and completes it.
 * @throws InputError with the agents that lag behind; KubeError, PkiError
 */
export async function rotateCa(rotation: CaRotation): Promise<void> {
  const work = new Rotation(rotation);
  let next = await work.begin();
  for (;;) {
    const phase = phaseOf(next.data);
    if (phase === 'distribute') next = await work.distribute(next);
    if (phase === 'switch') next = await work.switchOver(next);
    if (phase === 'drop') return work.drop(next);
  }
}

/**
 * Returns to the previous root.
 * @throws InputError if no rotation is in progress, or if it is too late; KubeError, PkiError
 */
export async function abortRotation(rotation: CaRotation): Promise<void> {
  const work = new Rotation(rotation);
  const next = await work.underWay();
  if (next === undefined) throw new InputError('no rotation of the CA is in progress');
  const phase = phaseOf(next.data);
  if (phase === 'drop')
    throw new InputError('the old root is being removed, and agents may have removed it already; rotate again instead');
  if (phase === 'distribute') return work.forget(next);
  await work.turnBack(next);
  await rotateCa(rotation);
}

class Rotation {
  readonly #rotation: CaRotation;
  readonly #secrets: Secrets;

  constructor(rotation: CaRotation) {
    this.#rotation = rotation;
    this.#secrets = new Secrets(rotation.management, rotation.namespace);
  }

  underWay(): Promise<StoredSecret | undefined> {
    return this.#secrets.read(NEXT_ROOT_SECRET);
  }

  /** The rotation in progress, or a new one. */
  async begin(): Promise<StoredSecret> {
    const { now, namespace, step } = this.#rotation;
    for (const name of [ROOT_SECRET, SIGNING_SECRET, SERVER_SECRET]) refuseForeign(await this.#read(name));
    const found = await this.underWay();
    if (found !== undefined) {
      step(`continuing the rotation in phase ${phaseOf(found.data)}`);
      return found;
    }
    const data = await newRoot((await this.#read(ROOT_SECRET)).data, now());
    const made = await this.#secrets.create(NEXT_ROOT_SECRET, data, {
      labels: { [OWNER_LABEL]: namespace },
      annotations: await requestNotes(this.#rotation.management),
    });
    step(`new root created, in ${namespace}/${NEXT_ROOT_SECRET}`);
    return made;
  }

  /** All agents trust both roots before the new root signs any certificate. */
  async distribute(next: StoredSecret): Promise<StoredSecret> {
    const { step } = this.#rotation;
    const root = await this.#change(ROOT_SECRET, (before) => trustBoth(before, next.data));
    const { hash } = readTrustBundle(root.data['ca.crt'] ?? '');
    await this.#until('trusts both roots', (book, cluster) => book.of(cluster).trust?.bundle === hash);
    step('every agent trusts both roots');
    return this.#replace(next, beginSwitch(next.data, root.data));
  }

  /** The new root signs all certificates; both are still trusted. */
  async switchOver(next: StoredSecret): Promise<StoredSecret> {
    const { now, step } = this.#rotation;
    const signing = await this.#change(SIGNING_SECRET, (before) => switchSigning(before, next.data, now()));
    await this.#change(SERVER_SECRET, (before) => switchServer(before, next.data, now()));
    await this.#change(ROOT_SECRET, (before) => switchRoot(before, next.data));
    step('the server signs with the new root, and presents a certificate under it');
    const [issuer] = readCertificates(signing.data['tls.crt'] ?? '', SIGNING_SECRET, { max: 10, allowText: true });
    const expected = issuer === undefined ? '' : keyHashOf(issuer);
    await this.#until('has a certificate under the new root', (book, cluster) => {
      const { trust } = book.of(cluster);
      return trust !== undefined && (trust.issuer === undefined || trust.issuer === expected);
    });
    step('every agent has a certificate under the new root');
    return this.#replace(next, { ...next.data, phase: 'drop' });
  }

  /** Stops trusting the old root. */
  async drop(next: StoredSecret): Promise<void> {
    const { step } = this.#rotation;
    await this.#change(SIGNING_SECRET, dropPreviousSigning);
    await this.#change(ROOT_SECRET, trustOne);
    await this.#secrets.delete(next);
    step('the old root is removed');
  }

  /** The new root has not signed any certificate yet. */
  async forget(next: StoredSecret): Promise<void> {
    await this.#change(ROOT_SECRET, trustOne);
    await this.#secrets.delete(next);
    this.#rotation.step('the new root is removed; agents remove it within minutes');
  }

  async turnBack(next: StoredSecret): Promise<void> {
    await this.#replace(next, turnBack(next.data));
    this.#rotation.step('the rotation is undone: the previous root is used again');
  }

  /** With the requester's annotations. */
  async #replace(next: StoredSecret, data: SecretData): Promise<StoredSecret> {
    return this.#secrets.replace(next, data, { annotations: await requestNotes(this.#rotation.management) });
  }

  async #read(name: string): Promise<StoredSecret> {
    const found = await this.#secrets.read(name);
    if (found !== undefined) return found;
    throw new InputError(
      `Secret ${this.#rotation.namespace}/${name} does not exist; start the management server first, which creates it`,
    );
  }

  /** Writes only differences; a conflict means that another run of this command is active. */
  async #change(name: string, change: (before: SecretData) => SecretData | Promise<SecretData>): Promise<StoredSecret> {
    const before = await this.#read(name);
    const data = await change(before.data);
    return data === before.data ? before : this.#secrets.replace(before, data);
  }

  async #until(what: string, holds: (book: CertificateRegistry, cluster: string) => boolean): Promise<void> {
    let late: readonly string[] = [];
    const done = async (): Promise<boolean> => {
      const book = readCertificateBook((await this.#secrets.read(CERTIFICATES_SECRET))?.data);
      late = (await this.#clusters(book)).filter((cluster) => !holds(book, cluster));
      return late.length === 0;
    };
    await waitUntil(this.#rotation, done, () => {
      return `every agent ${what}; these do not yet: ${late.join(', ')}. Run the command again to continue, with --without NAME to skip a cluster, or with --abort to undo the rotation`;
    });
  }

  /** The clusters to wait for: registered ones that were connected at least once, neither suspended nor excluded. */
  async #clusters(book: CertificateRegistry): Promise<string[]> {
    const { management, namespace, without } = this.#rotation;
    const all = (await management
      .objects(meshrelayKind('KubernetesCluster'))
      .list({ namespace })) as KubernetesCluster[];
    return all
      .filter(({ metadata: { name }, spec }) => {
        const known = book.wasRegistered(name) || book.of(name).trust !== undefined;
        return known && spec.suspended !== true && !without.includes(name);
      })
      .map(({ metadata: { name } }) => name);
  }
}

function refuseForeign({ name, managed }: StoredSecret): void {
  if (!managed)
    throw new InputError(
      `Secret ${name} was not created by the server; rotate it where it was created, in the order of docs/operations/security.md`,
    );
}
