#!/usr/bin/env node
/** The kube-sim program: one simulated cluster until a signal ends it. */
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { startAdmin } from './admin/admin-server.ts';
import { keepWrites } from './admin/keep-writes.ts';
import { startKubeSim } from './kube-sim.ts';
import { jsonLog } from './log.ts';
import { parseCommand, USAGE } from './program/arguments.ts';

async function main(args: readonly string[]): Promise<void> {
  const command = parseCommand(args);
  if (command.kind === 'help') {
    process.stdout.write(USAGE);
    return;
  }
  const log = jsonLog(command.options.name ?? 'kube-sim');
  const ended = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  const { kubeconfig, admin } = command;
  const { writes, recordWrite } = keepWrites();
  await using sim = await startKubeSim({ ...command.options, log, ...(admin === undefined ? {} : { recordWrite }) });
  await using served =
    admin === undefined ? undefined : await startAdmin({ address: admin, faults: sim.faults, writes });
  if (served !== undefined) log.info('kube-sim', 'admin endpoint', { url: served.url });
  // The file holds the administrator's token.
  if (kubeconfig !== undefined) await writeFile(kubeconfig, sim.kubeconfig, { mode: 0o600 });
  log.info('kube-sim', 'listening', { url: sim.url });
  const hint = kubeconfig === undefined ? '' : `; kubectl --kubeconfig ${kubeconfig} get all -A`;
  process.stdout.write(`kube-sim ${sim.name} is ready at ${sim.url}${hint}\n`);
  log.info('kube-sim', 'stopping', { signal: await ended });
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`kube-sim: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
