/** Takes the place of node:http's servers: health and the HTTP API have nobody who asks in a simulation. */
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
}

/** Makes every HTTP server of this thread one that hears nobody. */
export function silenceHttpServers(): void {
  const http = createRequire(import.meta.url)('node:http') as Record<string, unknown>;
  http['createServer'] = () => new SilentServer();
  syncBuiltinESMExports();
}

/** TLS contexts stay what they were asked to be: nobody encrypts, and reading keys takes long. */
export function keepTlsOptions(): void {
  const tls = createRequire(import.meta.url)('node:tls') as Record<string, unknown>;
  tls['createSecureContext'] = (options: object) => ({ ...options });
  syncBuiltinESMExports();
}
