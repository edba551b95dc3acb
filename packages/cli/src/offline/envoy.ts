/** Prints bootstraps of Envoys. */
import process from 'node:process';
import { bootstrap } from '@meshrelay/plugin-envoy/bootstrap';
import { type DataFormat, format } from '../output/format.ts';
import { InputError } from '../problem.ts';

export interface EnvoyOptions {
  readonly workload: string;
  readonly workloadNamespace: string;
  readonly agent: string;
  readonly tokenFile: string;
  readonly rootsFile: string;
  readonly output: DataFormat;
}

/** @throws InputError if the agent's address has no port */
export function printBootstrap({ workloadNamespace: namespace, output, ...options }: EnvoyOptions): void {
  if (!/^[^\s/]+:\d{1,5}$/.test(options.agent))
    throw new InputError(`--agent ${options.agent}: expected HOST:PORT, such as meshrelay-agent.meshrelay:9977`);
  const made = bootstrap({ ...options, namespace });
  process.stdout.write(format(made, output));
}
