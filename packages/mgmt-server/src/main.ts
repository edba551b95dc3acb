#!/usr/bin/env node
/** Entry point of the management server. */
import process from 'node:process';
import { aborted } from '@meshrelay/concurrency';
import { importPlugins, loadConfig, PluginWatchdog, runProgram } from '@meshrelay/host';
import { createLogger, startTracing } from '@meshrelay/telemetry';
import { SERVER_FIELDS, serverConfig } from './config/config.ts';
import { startManagementServer } from './server.ts';

await runProgram('mgmt-server', async (signal) => {
  const config = loadConfig(serverConfig, { argv: process.argv.slice(2), env: process.env, fields: SERVER_FIELDS });
  const logger = createLogger({ name: 'mgmt-server', level: config.log.level });
  await using watchdog = new PluginWatchdog({ program: 'mgmt-server' });
  await using tracing = await startTracing({ serviceName: 'mgmt-server', env: process.env });
  await using server = await startManagementServer(config, {
    plugins: await importPlugins(config.plugins, watchdog),
    logger,
    tracer: tracing.tracer,
  });
  await aborted(AbortSignal.any([signal, server.broken]));
  if (server.broken.aborted) process.exitCode = 1;
});
