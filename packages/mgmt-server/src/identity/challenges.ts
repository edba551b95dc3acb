/** Challenges that prove the key of an expired certificate: stateless to create, valid for a minute, usable once. */
import { Buffer } from 'node:buffer';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { renewalChallenge } from '@meshrelay/pki';

/** Milliseconds. */
const LIFETIME = 60_000;
const RANDOM_BYTES = 32;
const TIME_BYTES = 8;
const MAC_BYTES = 32;

/**
 * A challenge is random bytes, the time, and a MAC over both and the certificate, by a key of this process. So requests
 * cannot fill the memory, and a challenge is valid for one certificate at this replica.
 */
export class Challenges {
  readonly #now: () => Date;
  readonly #key = randomBytes(32);
  /** MACs of answered challenges, with their expiry. */
  readonly #answered = new Map<string, number>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** A challenge for the caller that presents the certificate with this fingerprint. */
  make(fingerprint: string): Uint8Array {
    const time = Buffer.alloc(TIME_BYTES);
    time.writeBigUInt64BE(BigInt(this.#now().getTime()));
    const head = Buffer.concat([renewalChallenge(), time]);
    return Uint8Array.from(Buffer.concat([head, this.#mac(head, fingerprint)]));
  }

  /** Whether this process created the challenge for this certificate within the last minute, and it is not used yet. */
  isOpen(challenge: Uint8Array, fingerprint: string): boolean {
    if (challenge.length !== RANDOM_BYTES + TIME_BYTES + MAC_BYTES) return false;
    const bytes = Buffer.from(challenge);
    const head = bytes.subarray(0, RANDOM_BYTES + TIME_BYTES);
    const mac = bytes.subarray(RANDOM_BYTES + TIME_BYTES);
    if (!timingSafeEqual(mac, this.#mac(head, fingerprint))) return false;
    const age = this.#now().getTime() - Number(head.readBigUInt64BE(RANDOM_BYTES));
    return age >= 0 && age < LIFETIME && !this.#answered.has(mac.toString('hex'));
  }

  /** Marks a correctly answered challenge as used. */
  close(challenge: Uint8Array): void {
    const now = this.#now().getTime();
    for (const [mac, ends] of this.#answered) if (ends <= now) this.#answered.delete(mac);
    const mac = Buffer.from(challenge.subarray(RANDOM_BYTES + TIME_BYTES)).toString('hex');
    this.#answered.set(mac, now + LIFETIME);
  }

  #mac(head: Uint8Array, fingerprint: string): Uint8Array {
    return createHmac('sha256', this.#key).update(head).update(fingerprint).digest();
  }
}
