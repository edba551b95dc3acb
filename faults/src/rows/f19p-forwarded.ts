/** F19p: requests about an agent reach any server, and the server with the agent's connection is killed. */
import type { KubeObject } from '@meshrelay/kube-sim';
import { NAMESPACE } from '@meshrelay/local-fleet';
import type { FaultFleet } from '../fleet/fault-fleet.ts';
import type { Replica } from '../fleet/replica.ts';
import type { Row } from '../trial/row.ts';
import { serverOf } from '../trial/servers.ts';

export const forwarded: Row = {
  id: 'F19p',
  title: 'any of three management servers is asked about an agent, and the one that has it is killed',
  inject: "SIGKILL of the server that has cluster-1's agent",
  expect: 'each server asks any agent, by way of the server that has it; those that are left do so again',
  fleet: 'shared',
  figure: { what: 'asked by any server again', limit: 10_000 },
  async run(trial) {
    const { fleet } = trial;
    using pods = new ServerPods(fleet);
    pods.show();
    await trial.eventually('each server to ask each agent', () => allRequested(fleet));
    const server = await trial.eventually('a server to have cluster-1', () => serverOf(fleet, 'cluster-1'));
    await server.kill();
    pods.show();
    await trial.recovers('asked by any server again', () => allRequested(fleet));
  },
};

async function allRequested(fleet: FaultFleet): Promise<true | undefined> {
  const clusters = fleet.workloads.map(({ plan }) => plan.name);
  const questions = fleet.apis().flatMap((api) => clusters.map((cluster) => api.asksAgent(cluster)));
  return (await Promise.all(questions)).every(Boolean) || undefined;
}

/** Servers here are processes, but find each other by pods: these objects represent them. */
class ServerPods implements Disposable {
  readonly #fleet: FaultFleet;
  #shown: readonly KubeObject[] = [];

  constructor(fleet: FaultFleet) {
    this.#fleet = fleet;
  }

  /** Creates one pod for each running server. */
  show(): void {
    this.#hide();
    const { servers, management } = this.#fleet;
    this.#shown = servers
      .filter(({ running }) => running)
      .map((server) => podOf(server, this.#fleet.peersPort(server)));
    for (const pod of this.#shown) management.sim.objects.create(pod);
  }

  #hide(): void {
    for (const { apiVersion, kind, metadata } of this.#shown)
      this.#fleet.management.sim.objects.delete({ apiVersion, kind, namespace: NAMESPACE, name: metadata.name });
    this.#shown = [];
  }

  [Symbol.dispose](): void {
    this.#hide();
  }
}

function podOf({ name }: Replica, port: number | undefined): KubeObject {
  if (port === undefined) throw new Error(`${name} listens to no other server`);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: NAMESPACE,
      labels: { 'app.kubernetes.io/name': 'meshrelay-mgmt-server' },
      annotations: { 'cni.projectcalico.org/ipAddrs': '["127.0.0.1"]' },
    },
    spec: { containers: [{ name: 'server', ports: [{ name: 'peers', containerPort: port }] }] },
  } as unknown as KubeObject;
}
