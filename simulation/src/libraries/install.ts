/**
 * Puts the simulated libraries in the place of the real ones, for this whole thread. Each outside library has one owner in the workspace,
 * so these few replacements are all there is between the product's own code and the world. Import it before any code of the product.
 */
import { createRequire, registerHooks } from 'node:module';
import { installBuiltins } from '../runtime/builtins.ts';
import { sealLightly } from './sealing.ts';
import { disconnectServers, keepTlsOptions } from './servers.ts';

const REPLACED: ReadonlyMap<string, string> = new Map([
  ['@grpc/grpc-js', new URL('./grpc.ts', import.meta.url).href],
  ['undici', new URL('./undici.ts', import.meta.url).href],
]);

installBuiltins();
disconnectServers();
keepTlsOptions();
sealLightly();
registerHooks({
  resolve(specifier, context, next) {
    const replacement = REPLACED.get(specifier);
    // The product alone: libraries among themselves, and the replacements, keep the real ones.
    const isProduct = /\/packages\/[^/]+\/(src|dist)\//.test(context.parentURL ?? '');
    return replacement !== undefined && isProduct
      ? { url: replacement, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context);
  },
});
const telemetry = createRequire(new URL('../../../packages/telemetry/package.json', import.meta.url));
// Node's own figures of a thread say nothing of one process among many.
Object.assign(telemetry('prom-client') as object, { collectDefaultMetrics: () => {} });
const { takeTransportOut } = await import('./kubernetes-client.ts');
takeTransportOut();
