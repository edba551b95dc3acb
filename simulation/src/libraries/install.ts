/**
 * Replaces the real libraries with simulated ones, for this whole thread. Each external library has one owner in the
 * workspace, so these few replacements separate Meshrelay's code completely from the outside. Import this before any
 * code of Meshrelay.
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
    // Only Meshrelay's code gets the replacements. Libraries among themselves, and the replacements, use the real ones.
    const isProduct = /\/packages\/[^/]+\/(src|dist)\//.test(context.parentURL ?? '');
    return replacement !== undefined && isProduct
      ? { url: replacement, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context);
  },
});
const telemetry = createRequire(new URL('../../../packages/telemetry/package.json', import.meta.url));
// Node's metrics of a thread do not describe one simulated process among many.
Object.assign(telemetry('prom-client') as object, { collectDefaultMetrics: () => {} });
const { takeTransportOut } = await import('./kubernetes-client.ts');
takeTransportOut();
