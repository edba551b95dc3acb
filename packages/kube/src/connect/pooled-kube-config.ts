/** The official client's KubeConfig with persistent connections. */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type DispatcherOptions, KubeConfig, type RequestContext } from '@kubernetes/client-node';
import { Agent, type Dispatcher, ProxyAgent } from 'undici';

type DispatcherArguments = Parameters<KubeConfig['createDispatcherOptions']>;

interface Pool {
  /** Of the TLS material: credentials rotate during the life of the process. */
  readonly fingerprint: string;
  readonly dispatcher: Dispatcher;
}

/**
 * The client creates a connection pool per request, so that every call needs a TLS handshake. This class creates one
 * pool for each set of TLS material, and lets the previous one finish its requests. (SOCKS proxies keep the client's
 * own behaviour.)
 */
export class PooledKubeConfig extends KubeConfig {
  #pool: Pool | undefined;

  override createDispatcherOptions(...given: DispatcherArguments): DispatcherOptions {
    const options = super.createDispatcherOptions(...given);
    if (options.type === 'socks') return options;
    const fingerprint = fingerprintOf(options);
    if (this.#pool?.fingerprint !== fingerprint) {
      // Rejects only if it is destroyed before it has drained, which also ends it.
      this.#pool?.dispatcher.close().catch(() => {});
      this.#pool = { fingerprint, dispatcher: createPool(options) };
    }
    return { type: 'none' };
  }

  override async applySecurityAuthentication(context: RequestContext): Promise<void> {
    await super.applySecurityAuthentication(context);
    if (this.#pool !== undefined) context.setDispatcher(this.#pool.dispatcher);
  }

  /** Closes all connections, including watches. */
  async closeConnections(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await pool?.dispatcher.destroy();
  }
}

/** A text that identifies a way to connect: proxy, names, and the bytes of certificates and keys. */
function fingerprintOf(options: Exclude<DispatcherOptions, { type: 'socks' }>): string {
  const hash = createHash('sha256').update(`${options.type} ${'uri' in options ? options.uri : ''}`);
  const tls = options.type === 'proxy' ? options.requestTls : options.type === 'agent' ? options.connect : {};
  for (const [name, value] of Object.entries(tls)) {
    hash.update(`\n${name} `).update(Buffer.isBuffer(value) ? value : String(value));
  }
  return hash.digest('base64');
}

const connecting = { timeout: 10_000, keepAlive: true, keepAliveInitialDelay: 30_000 };
/**
 * HTTP/1.1 only: after a connection with watches ends, Node's HTTP/2 sometimes sends empty frames endlessly and
 * exhausts the memory. Seen with Node 24.21 and undici 8.12 at a real API server, in one of five runs of the server's
 * `rights.kube.test.ts`.
 */
const pooling = { allowH2: false, keepAliveTimeout: 30_000, headersTimeout: 60_000 };

/** Node's TLS options, which undici types more narrowly than the client does. */
type Connect = NonNullable<ProxyAgent.Options['requestTls']>;

function createPool(options: Exclude<DispatcherOptions, { type: 'socks' }>): Dispatcher {
  switch (options.type) {
    case 'proxy':
      return new ProxyAgent({
        ...pooling,
        uri: options.uri,
        requestTls: options.requestTls as Connect,
        connect: connecting,
      });
    case 'agent':
      return new Agent({ ...pooling, connect: { ...(options.connect as Connect), ...connecting } });
    case 'none':
      return new Agent({ ...pooling, connect: connecting });
  }
}
