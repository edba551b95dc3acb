/** Who did what: one line for each security action, with a request id that the caller's log has, too. */
import { randomUUID } from 'node:crypto';
import type { Logger } from '@meshrelay/telemetry';

/** What was done or asked for. */
export type AuditAction = 'register' | 'renew' | 'revoke' | 'connect' | 'rotate';

/** One action. It never holds a token, a key or a certificate: serial numbers and hashes name them. */
export interface AuditEntry {
  readonly action: AuditAction;
  readonly outcome: 'done' | 'refused';
  readonly cluster: string;
  /** Of the request that asked for it; made where there is none. */
  readonly requestId?: string;
  /** Address and port it came from. */
  readonly peer?: string;
  /** Serial number of the certificate made or judged, hex. */
  readonly serial?: string;
  /** SHA-256 of its public key, hex. */
  readonly keyHash?: string;
  /** Why it was refused or done. */
  readonly reason?: string;
}

/** Writes the audit log: lines of the program's own log with the logger `audit`, whatever its level. */
export class AuditLog {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger.child('audit');
  }

  /** One line. @returns the request id in it */
  record({ requestId = newRequestId(), ...entry }: AuditEntry): string {
    const fields = { requestId, ...entry };
    if (entry.outcome === 'refused') this.#logger.warn('audit', fields);
    else this.#logger.info('audit', fields);
    return requestId;
  }
}

/** An id for a request that came without one. */
export function newRequestId(): string {
  return randomUUID();
}
