/** A running pod: its own network, its application, and the Envoy that istiod configures. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Envoy, startEnvoy } from '@meshrelay/testing/envoy';
import { Pod } from '@meshrelay/testing/network';
import type { WorkloadCertificate } from './authorities.ts';
import type { LabPod } from './pod-plan.ts';
import type { LabPrograms } from './programs.ts';
import { proxyBootstrap } from './proxy-bootstrap.ts';
import type { Answer, Sending } from './requests.ts';

const run = promisify(execFile);
const APPLICATION = join(import.meta.dirname, 'application.ts');
/** Source address of requests from an application with a sidecar, which distinguishes them from its sidecar's. */
const OUTBOUND = '192.0.2.1';
/** Istio's ports of a sidecar. */
const PORTS = { outbound: 15_001, inbound: 15_006 } as const;

/** Addresses that proxies need. */
export type ProxySources = Parameters<typeof proxyBootstrap>[1];

export class RunningPod implements AsyncDisposable {
  readonly plan: LabPod;
  readonly envoy: Envoy | undefined;
  readonly #pod: Pod;

  private constructor(plan: LabPod, pod: Pod, envoy: Envoy | undefined) {
    this.plan = plan;
    this.#pod = pod;
    this.envoy = envoy;
  }

  /** @param certificate of the application, if it uses TLS itself */
  static async start(
    plan: LabPod,
    programs: LabPrograms,
    { sources, certificate }: { readonly sources: ProxySources; readonly certificate: WorkloadCertificate },
  ): Promise<RunningPod> {
    await using stack = new AsyncDisposableStack();
    const further = new Set(plan.exposed.map(({ address }) => address));
    const addresses = [plan.address, plan.admin, OUTBOUND, ...further];
    const pod = stack.use(await Pod.start({ application: APPLICATION, addresses }));
    const [enter = '', ...into] = pod.within;
    const rules = redirects(plan);
    if (rules.length > 0) await run(enter, [...into, programs.redirect, ...rules]);
    if (!plan.gateway) await pod.do('serve', { as: `${plan.name}.${plan.cluster}`, ports: plan.ports, ...certificate });
    const envoy = plan.proxy
      ? stack.use(
          await startEnvoy(programs.envoy, proxyBootstrap(plan, sources), {
            within: pod.within,
            host: plan.admin,
            until: 'live',
            // No request is in flight while configuration changes.
            drain: 0,
            // A failure prints the access log of its requests; the default is ten seconds.
            args: ['--file-flush-interval-msec', '1000'],
          }),
        )
      : undefined;
    stack.move();
    return new RunningPod(plan, pod, envoy);
  }

  /** Makes the application send a request a number of times. */
  send(sending: Sending): Promise<Answer[]> {
    const outbound = this.plan.proxy ? { localAddress: OUTBOUND } : {};
    return this.#pod.do<Answer[]>('send', { ...outbound, ...sending });
  }

  /** Number of requests for a path that its application received. */
  received(path: string): Promise<number> {
    return this.#pod.do<number>('received', { path });
  }

  /** Number of requests that its application received, by those values of their header `x-call` with this prefix. */
  visits(prefix: string): Promise<Readonly<Record<string, number>>> {
    return this.#pod.do<Readonly<Record<string, number>>>('visits', { prefix });
  }

  /**
   * Like the loss of its node: callers get no response. Existing connections are closed, so no peer waits for them
   * forever.
   */
  async lose(): Promise<void> {
    await this.envoy?.kill();
    this.#pod.unplug();
    await this[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.envoy?.kill();
    await this.#pod[Symbol.asyncDispose]();
  }
}

function redirects({ proxy, gateway, address, exposed }: LabPod): string[] {
  const sidecar = proxy && !gateway;
  return [
    ...(sidecar ? [`outbound=${OUTBOUND}>${PORTS.outbound}`, `inbound=${address}>${PORTS.inbound}`] : []),
    ...exposed
      .filter(({ port, target }) => port !== target)
      .map((one) => `inbound=${one.address}:${one.port}>${one.target}`),
  ];
}
