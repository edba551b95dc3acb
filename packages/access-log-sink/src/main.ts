#!/usr/bin/env node
/** The access-log-sink program: runs until a signal ends it. */
import process from 'node:process';
import { versionText } from '@meshrelay/telemetry/build-info';
import { readConfig, USAGE } from './program/config.ts';
import { run } from './program/run.ts';
import type { LogMethod } from './service/service-log.ts';

/** JSON lines on standard error, because standard output may contain the access log itself. */
const line =
  (level: string): LogMethod =>
  (fields, msg) => {
    const plain = Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? value.message : value]);
    const record = { level, ts: Date.now() / 1000, logger: 'access-log-sink', msg, ...Object.fromEntries(plain) };
    process.stderr.write(`${JSON.stringify(record)}\n`);
  };

try {
  const config = readConfig(process.argv.slice(2));
  if (config === 'help') process.stdout.write(USAGE);
  else if (config === 'version') process.stdout.write(versionText('access-log-sink', { 'envoy api': 'v3' }));
  else {
    const log = { info: line('info'), warn: line('warn'), error: line('error') };
    const ended = new Promise<string>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
    });
    await using running = await run(config, log);
    log.info({ port: running.port, http: running.httpPort, cluster: config.cluster }, 'listening');
    log.info({ signal: await ended }, 'ending');
  }
} catch (error) {
  process.stderr.write(`access-log-sink: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
