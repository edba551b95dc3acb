/** Takes the place of servers of Node: health, the HTTP API and the agents' port for proxies have nobody who asks in a simulation. */
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

/** Makes every server of this thread one that hears nobody. */
export function disconnectServers(): void {
  for (const name of ['node:http', 'node:net', 'node:tls']) {
    const module = createRequire(import.meta.url)(name) as Record<string, unknown>;
    module['createServer'] = () => new SilentServer();
  }
  syncBuiltinESMExports();
}

/** TLS contexts stay what they were asked to be: nobody encrypts, and reading keys takes long. */
export function keepTlsOptions(): void {
  const tls = createRequire(import.meta.url)('node:tls') as Record<string, unknown>;
  tls['createSecureContext'] = (options: object) => ({ ...options });
  syncBuiltinESMExports();
}
