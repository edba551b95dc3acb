/** A real istiod of one cluster, which configures every Envoy that connects to it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, temporaryFolder } from '@meshrelay/testing';
import { freePort, startChild } from '@meshrelay/testing/processes';

/** Milliseconds until it must be ready, on a busy machine. */
const READY_WITHIN = 120_000;

/** Features that only the Envoy of Istio's own image has. */
export const WITHOUT_ISTIOS_OWN_FILTERS = {
  PILOT_ENABLE_METADATA_EXCHANGE: 'false',
  PILOT_ENABLE_ALPN_FILTER: 'false',
  PILOT_ENABLE_TELEMETRY_LABEL: 'false',
  PILOT_ENDPOINT_TELEMETRY_LABEL: 'false',
};

/** A running istiod. */
export interface Istiod extends AsyncDisposable {
  /** Where it serves xDS in plaintext. */
  readonly xds: { readonly address: string; readonly port: number };
  readonly pid: number;
  /** The last lines of its log. */
  lastWords(): string;
}

export interface IstiodOptions {
  readonly cluster: string;
  readonly kubeconfig: string;
  /** Where proxies reach it. */
  readonly host: string;
  /** Added to its environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * @throws Error with its last output if it does not start
 */
export async function startIstiod(program: string, { cluster, kubeconfig, host, env }: IstiodOptions): Promise<Istiod> {
  const folder = temporaryFolder();
  const file = join(folder.path, 'kubeconfig');
  writeFileSync(file, kubeconfig, { mode: 0o600 });
  const [xds, http, monitoring] = [await freePort(), await freePort(), await freePort()];
  const child = startChild(program, argumentsOf({ file, host, xds, http, monitoring }), {
    cwd: folder.path,
    env: {
      POD_NAMESPACE: 'istio-system',
      POD_NAME: 'istiod-0',
      CLUSTER_ID: cluster,
      PILOT_CERT_PROVIDER: 'none',
      ENABLE_CA_SERVER: 'false',
      PILOT_ENABLE_GATEWAY_API: 'false',
      ...WITHOUT_ISTIOS_OWN_FILTERS,
      ...env,
    },
  });
  try {
    const ready = async () => (await fetch(`http://${host}:${http}/ready`)).status === 200;
    const waiting = { deadline: READY_WITHIN, seen: child.lastWords };
    await Promise.race([eventually(`istiod of ${cluster} is ready`, ready, waiting), child.untilItEnds]);
  } catch (error) {
    await child.kill();
    folder[Symbol.dispose]();
    throw error;
  }
  return {
    xds: { address: host, port: xds },
    // It has one, because it is ready.
    pid: child.pid as number,
    lastWords: child.lastWords,
    async [Symbol.asyncDispose]() {
      await child.kill();
      folder[Symbol.dispose]();
    },
  };
}

function argumentsOf(at: {
  readonly file: string;
  readonly host: string;
  readonly xds: number;
  readonly http: number;
  readonly monitoring: number;
}): string[] {
  return [
    'discovery',
    `--kubeconfig=${at.file}`,
    `--httpAddr=${at.host}:${at.http}`,
    `--grpcAddr=${at.host}:${at.xds}`,
    `--monitoringAddr=${at.host}:${at.monitoring}`,
    '--secureGRPCAddr=',
    '--httpsAddr=',
    '--ctrlz_port=0',
    '--log_output_level=all:warn',
  ];
}
