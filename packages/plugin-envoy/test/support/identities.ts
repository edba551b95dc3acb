/** Certificates of workloads, as the agent gives them to Envoys, created by openssl. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from './static-bootstrap.ts';

/** Creates the secrets of Envoys that trust each other. */
export class Identities {
  readonly #folder: string;

  /** @throws Error without openssl */
  constructor(folder: string) {
    this.#folder = folder;
    this.#run('req', '-x509', ...NEW_KEY, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=root', '-days', '2');
  }

  /** The two secrets of an Envoy with this identity, by the names under which it requests them. */
  secretsOf(uri: string): readonly Json[] {
    writeFileSync(join(this.#folder, 'san'), `subjectAltName=critical,URI:${uri}\n`);
    this.#run('req', ...NEW_KEY, '-keyout', 'own.key', '-out', 'own.csr', '-subj', '/');
    const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'san'];
    this.#run('x509', '-req', '-in', 'own.csr', '-out', 'own.crt', ...signed);
    return [
      {
        name: 'default',
        tls_certificate: { certificate_chain: this.#text('own.crt'), private_key: this.#text('own.key') },
      },
      { name: 'ROOTCA', validation_context: { trusted_ca: this.#text('ca.crt') } },
    ];
  }

  #text(name: string): Json {
    return { inline_string: readFileSync(join(this.#folder, name), 'utf8') };
  }

  #run(...args: readonly string[]): void {
    execFileSync('openssl', args, { cwd: this.#folder, stdio: 'pipe' });
  }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'] as const;
