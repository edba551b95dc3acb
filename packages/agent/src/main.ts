#!/usr/bin/env node
/** The agent program. */
import process from 'node:process';
import { aborted } from '@meshrelay/concurrency';
import { importPlugins, loadConfig, PluginWatchdog, runProgram } from '@meshrelay/host';
import { createLogger, startTracing } from '@meshrelay/telemetry';
import { startAgent } from './agent.ts';
import { AGENT_FIELDS, agentConfig } from './config/config.ts';

await runProgram('agent', async (signal) => {
  const config = loadConfig(agentConfig, { argv: process.argv.slice(2), env: process.env, fields: AGENT_FIELDS });
  const logger = createLogger({ name: 'agent', level: config.log.level });
  await using watchdog = new PluginWatchdog({ program: 'agent' });
  await using tracing = await startTracing({ serviceName: 'agent', env: process.env });
  await using _agent = await startAgent(config, {
    plugins: await importPlugins(config.plugins, watchdog),
    logger,
    tracer: tracing.tracer,
    token: process.env['MESHRELAY_IDENTITY_TOKEN'],
  });
  await aborted(signal);
});
