/** Replaces Node's servers: a simulation has no clients of health, of the HTTP API and of the agents' proxy port. */
import { EventEmitter } from 'node:events';
import { createRequire, syncBuiltinESMExports } from 'node:module';

class SilentServer extends EventEmitter {
  listen(...given: unknown[]): this {
    const listening = given.findLast((one): one is () => void => typeof one === 'function');
    queueMicrotask(() => {
      this.emit('listening');
      listening?.();
    });
    return this;
  }

  address(): { address: string; family: string; port: number } {
    return { address: '127.0.0.1', family: 'IPv4', port: 80 };
  }

  close(closed?: () => void): this {
    queueMicrotask(() => closed?.());
    return this;
  }

  closeAllConnections(): void {}

  closeIdleConnections(): void {}
}

/** Makes every server of this thread one that accepts no connections. */
export function disconnectServers(): void {
  for (const name of ['node:http', 'node:net', 'node:tls']) {
    const module = createRequire(import.meta.url)(name) as Record<string, unknown>;
    module['createServer'] = () => new SilentServer();
  }
  syncBuiltinESMExports();
}

/** TLS contexts stay the requested options: nothing is encrypted, and parsing keys is slow. */
export function keepTlsOptions(): void {
  const tls = createRequire(import.meta.url)('node:tls') as Record<string, unknown>;
  tls['createSecureContext'] = (options: object) => ({ ...options });
  syncBuiltinESMExports();
}
