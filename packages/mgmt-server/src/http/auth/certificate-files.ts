/** TLS certificate of the HTTP API: two files, read again when they change. */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import { ConfigError } from '@meshrelay/host';
import type { Logger } from '@meshrelay/telemetry';
import { endOf } from '../../certificates/end-of.ts';
import type { HttpTlsConfig } from './auth-config.ts';

export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateFilesOptions {
  /** Receives the certificate's expiry, each time the certificate changes. */
  readonly onCertificate: (end: Date) => void;
  readonly logger: Logger;
}

/** Milliseconds between two checks of the files: mounted Secrets change at most once a minute. */
const CHECK_INTERVAL_MS = 10_000;

export class CertificateFiles implements Disposable {
  readonly #config: HttpTlsConfig;
  readonly #options: CertificateFilesOptions;
  #pair: CertificatePair;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @throws ConfigError if the files cannot be read or do not match */
  constructor(config: HttpTlsConfig, options: CertificateFilesOptions) {
    this.#config = config;
    this.#options = options;
    this.#pair = readPair(config);
    this.#announce();
  }

  get pair(): CertificatePair {
    return this.#pair;
  }

  /** Sets later certificates on a server; its connections continue. */
  serve(server: Pick<Server, 'setSecureContext'>): void {
    this.#timer = setInterval(() => this.check(server), CHECK_INTERVAL_MS).unref();
  }

  /** Loads the files. Invalid files change nothing. */
  check(server: Pick<Server, 'setSecureContext'>): void {
    try {
      const pair = readPair(this.#config);
      if (pair.cert === this.#pair.cert && pair.key === this.#pair.key) return;
      server.setSecureContext({ ...pair });
      this.#pair = pair;
      this.#announce();
      this.#options.logger.info('certificate of the HTTP API replaced', { file: this.#config.certFile });
    } catch (error) {
      this.#options.logger.error('certificate of the HTTP API cannot be replaced; the last one stays in use', {
        error,
      });
    }
  }

  #announce(): void {
    this.#options.onCertificate(endOf(this.#pair.cert));
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function readPair({ certFile, keyFile }: HttpTlsConfig): CertificatePair {
  const pair = { cert: read('certFile', certFile), key: read('keyFile', keyFile) };
  try {
    createSecureContext(pair);
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new ConfigError(`http.tls: ${certFile} and ${keyFile} are not a certificate and its key: ${reason}`, {
      cause,
    });
  }
  return pair;
}

function read(field: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ConfigError(`http.tls.${field}: ${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
