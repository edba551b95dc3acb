/** Who did what: one line for each security action, with a request id that the caller's log has, too. */
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { type Logger, redact } from '@meshrelay/telemetry';

/** What was done or asked for. */
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

/** One action. It never holds a token, a key or a certificate: serial numbers and hashes name them. */
export interface AuditEntry {
  readonly action: AuditAction;
  readonly outcome: 'done' | 'refused';
  /** Empty: the whole fleet. */
  readonly cluster: string;
  /** Of the request that asked for it; made where there is none. */
  readonly requestId?: string;
  /** Who asked for it, where that is no agent: a user, a field manager, a replica. */
  readonly by?: string;
  /** Address and port it came from. */
  readonly peer?: string;
  /** Serial number of the certificate made or judged, hex. */
  readonly serial?: string;
  /** SHA-256 of its public key, hex. */
  readonly keyHash?: string;
  /** Names the token, as `meshctl token list` does. */
  readonly tokenId?: string;
  /** Stands for the deletions that were approved. */
  readonly digest?: string;
  /** How many they are. */
  readonly count?: number;
  /** Why it was refused or done. */
  readonly reason?: string;
}

/** An entry as it was written. */
export type AuditLine = AuditEntry & { readonly requestId: string; readonly time: string };

export interface AuditOptions {
  /** Lines are appended to this file, too. It is made with mode 0600. */
  readonly file?: string | undefined;
  /** Told of each line. */
  readonly onLine?: (line: AuditLine) => void;
  readonly now?: () => Date;
}

/**
 * Writes the audit log: lines of the program's own log with the logger `audit`, whatever its level, and of a file of its own where there is one.
 */
export class AuditLog {
  readonly #logger: Logger;
  readonly #options: AuditOptions;

  constructor(logger: Logger, options: AuditOptions = {}) {
    this.#logger = logger.child('audit').always();
    this.#options = options;
  }

  /** One line. Never throws: what was done was done. @returns the request id in it */
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

  /** Before it returns: nothing is answered before its line is in the file. */
  #append(file: string, line: AuditLine): void {
    try {
      appendFileSync(file, `${JSON.stringify(redact(line))}\n`, { mode: 0o600 });
    } catch (error) {
      this.#logger.error('the audit file cannot be written; its line stands in this log alone', { file, error });
    }
  }
}

/** An id for a request that came without one. */
export function newRequestId(): string {
  return randomUUID();
}
