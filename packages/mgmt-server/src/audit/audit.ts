/** Audit log: one line per security action, with a request id that the caller's log has too. */
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { type Logger, redact } from '@meshrelay/telemetry';

/** The action that was done or requested. */
export type AuditAction =
  | 'register'
  | 'renew'
  | 'revoke'
  | 'readmit'
  | 'token-create'
  | 'token-revoke'
  | 'sign'
  | 'connect'
  | 'rotate'
  | 'safe-mode-end'
  | 'approve'
  | 'suspend'
  | 'resume'
  | 'pause'
  | 'unpause'
  | 'deregister';

/** One action. An entry never holds a token, a key or a certificate; serial numbers and hashes identify them. */
export interface AuditEntry {
  readonly action: AuditAction;
  readonly outcome: 'done' | 'refused';
  /** Empty for the whole fleet. */
  readonly cluster: string;
  /** Id of the request; generated where the request has none. */
  readonly requestId?: string;
  /** Who requested it, unless that is an agent: a user, a field manager or a replica. */
  readonly by?: string;
  /** Remote address and port. */
  readonly peer?: string;
  /** Serial number of the certificate that was issued or verified, in hex. */
  readonly serial?: string;
  /** SHA-256 of the certificate's public key, in hex. */
  readonly keyHash?: string;
  /** Identifies the token, as `meshctl token list` does. */
  readonly tokenId?: string;
  /** Digest of the approved deletions. */
  readonly digest?: string;
  /** Number of approved deletions. */
  readonly count?: number;
  /** Why the action was rejected or done. */
  readonly reason?: string;
}

/** An entry as written. */
export type AuditLine = AuditEntry & { readonly requestId: string; readonly time: string };

export interface AuditOptions {
  /** Lines are also appended to this file, which is created with mode 0600. */
  readonly file?: string | undefined;
  /** Receives each line. */
  readonly onLine?: (line: AuditLine) => void;
  readonly now?: () => Date;
}

/**
 * Writes the audit log: lines in the program's log under the logger `audit`, at any log level, and in a separate file
 * if one is configured.
 */
export class AuditLog {
  readonly #logger: Logger;
  readonly #options: AuditOptions;

  constructor(logger: Logger, options: AuditOptions = {}) {
    this.#logger = logger.child('audit').always();
    this.#options = options;
  }

  /** Writes one line. Never throws, because the action is already done. @returns the request id of the line */
  record({ requestId = newRequestId(), ...entry }: AuditEntry): string {
    const { file, onLine, now = () => new Date() } = this.#options;
    const fields = { requestId, ...entry };
    if (entry.outcome === 'refused') this.#logger.warn('audit', fields);
    else this.#logger.info('audit', fields);
    const line: AuditLine = { time: now().toISOString(), ...fields };
    if (file !== undefined) this.#append(file, line);
    onLine?.(line);
    return requestId;
  }

  /** Synchronous: no answer leaves before its line is in the file. */
  #append(file: string, line: AuditLine): void {
    try {
      appendFileSync(file, `${JSON.stringify(redact(line))}\n`, { mode: 0o600 });
    } catch (error) {
      this.#logger.error('the audit file cannot be written; the audit line is only in this log', { file, error });
    }
  }
}

/** A new id for a request without one. */
function newRequestId(): string {
  return randomUUID();
}
