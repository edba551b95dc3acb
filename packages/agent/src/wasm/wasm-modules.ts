/** Creates the modules of a replica from its configuration. */
import type { Clock } from '@meshrelay/concurrency';
import type { KubeConnection } from '@meshrelay/kube';
import type { Logger } from '@meshrelay/telemetry';
import type { DataPlane } from '../data-plane/data-plane.ts';
import { clusterFiles } from './cluster-files.ts';
import { systemResolver } from './fetch/pinned-request.ts';
import { ModuleCache } from './modules/module-cache.ts';
import { ModuleSource, nameOf } from './modules/module-source.ts';
import { Modules } from './modules/modules.ts';
import type { WasmConfig } from './wasm-config.ts';

export interface WasmModulesContext {
  readonly connection: KubeConnection;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

/** Fetches modules for a data plane until it is disposed. */
export function wasmModules(plane: DataPlane, config: WasmConfig, context: WasmModulesContext): Modules {
  const { connection, clock, random, logger } = context;
  const source = new ModuleSource({
    hosts: config.hosts,
    maxBytes: config.maxBytes,
    timeout: config.timeoutSeconds * 1000,
    cluster: clusterFiles(connection),
    resolve: systemResolver,
  });
  const modules = new Modules({
    fetch: (reference, signal) => source.fetch(reference, signal),
    cache: new ModuleCache({ directory: config.cacheDirectory, maxBytes: config.cacheBytes }),
    clock,
    random,
    onChanged: (reference) => {
      const { module, reason } = modules.need(reference);
      if (reason === undefined)
        logger.info('a module is available', { module: nameOf(reference), sha256: module?.sha256 });
      else logger.warn('a module cannot be fetched', { module: nameOf(reference), reason });
      plane.extensions.moduleChanged(reference);
      // Objects that name the module report why it is not available.
      plane.proxiesChanged();
    },
    onDiskError: (message, error) => logger.warn(message, { error }),
  });
  plane.modules = modules;
  return modules;
}
