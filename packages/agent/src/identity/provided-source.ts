/** Source of a certificate that another issuer renews: a Secret in the format of cert-manager, or mounted files. */
import { readFile } from 'node:fs/promises';
import type { Clock } from '@meshrelay/concurrency';
import { type KubeConnection, Secrets, watchSecret } from '@meshrelay/kube';
import type { ClientCertificateConfig } from '../config/client-certificate.ts';
import { CredentialNotReady } from './credential-not-ready.ts';

/** PEM texts; empty if missing. */
export interface ProvidedTexts {
  readonly key: string;
  /** Leaf first. */
  readonly certificate: string;
  /** Roots that the issuer wrote. */
  readonly roots: string;
}

export interface ProvidedSource {
  /** Location, for messages. */
  readonly where: string;
  /** Whether its roots take precedence over those that registration left in the cluster. */
  readonly rootsFirst: boolean;
  /** @throws Waiting for missing parts, or KubeError */
  read(): Promise<ProvidedTexts>;
  /** Calls back when something may have changed, until disposed. */
  watch(changed: () => void): AsyncDisposable;
}

export interface SourceOptions {
  readonly connection: KubeConnection;
  readonly namespace: string;
  readonly clock: Clock;
}

export function providedSource(config: ClientCertificateConfig, options: SourceOptions): ProvidedSource {
  return 'secretName' in config ? ofSecret(config.secretName, options) : ofFiles(config, options);
}

function ofSecret(name: string, { connection, namespace }: SourceOptions): ProvidedSource {
  const secrets = new Secrets(connection, namespace);
  const where = `Secret ${namespace}/${name}`;
  return {
    where,
    // Issuers write their own CA there, which may differ from the server's.
    rootsFirst: false,
    async read() {
      const data = (await secrets.read(name))?.data;
      if (data === undefined) throw new CredentialNotReady(`${where} does not exist; let its issuer create it`);
      const { 'tls.key': key = '', 'tls.crt': certificate = '', 'ca.crt': roots = '' } = data;
      return { key, certificate, roots };
    },
    watch: (changed) => watchSecret(connection, { namespace, name, changed }),
  };
}

/** Milliseconds between two checks of files: mounted Secrets change at most once a minute. */
const RESYNC_INTERVAL_MS = 10_000;

type Files = Extract<ClientCertificateConfig, { readonly certFile: string }>;

function ofFiles({ certFile, keyFile, caFile }: Files, { clock }: SourceOptions): ProvidedSource {
  return {
    where: `${certFile} with ${keyFile}`,
    rootsFirst: caFile !== undefined,
    async read() {
      const [key, certificate] = [await text(keyFile), await text(certFile)];
      return { key, certificate, roots: caFile === undefined ? '' : await text(caFile) };
    },
    watch: (changed) => every(RESYNC_INTERVAL_MS, clock, changed),
  };
}

async function text(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CredentialNotReady(
      `${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'it is not a file'}; mount it where relay.clientCertificate says`,
    );
  }
}

function every(period: number, clock: Clock, act: () => void): AsyncDisposable {
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await clock.sleep(period, stop.signal);
      if (!stop.signal.aborted) act();
    }
  };
  const running = run();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}
