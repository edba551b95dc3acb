/** A whole agent, whose cluster's API server is a separate process; a bare watch reports what is applied there. */
import { agentConfig, startAgent } from '@meshrelay/agent';
import { isMeshrelayGroup } from '@meshrelay/api';
import { connect, Secrets } from '@meshrelay/kube';
import { type KubeObject, openCrd } from '@meshrelay/kube-sim';
import istio from '@meshrelay/plugin-istio';
import { loadPlugins, ROOT_SECRET, TOKEN_SECRET } from '@meshrelay/relay-core';
import { silentLogger } from '@meshrelay/telemetry';
import { ApiServer } from './api-server.ts';
import { BareApi } from './bare-api.ts';
import { NAMESPACE, ourObjects, type Registration, SERVER_NAME } from './management.ts';

/** The kind that shows a changed gateway, and the same kind in a group that only the bench uses. */
const APPLIED = { group: 'networking.istio.io', version: 'v1', kind: 'ServiceEntry', plural: 'serviceentries' };
const BARE = { ...APPLIED, group: 'bench.meshrelay.test' };

/** An event of a watch. */
interface WatchLine {
  readonly type: string;
  readonly object: KubeObject;
}

export class ApplyingAgent {
  readonly #api: BareApi;
  #seen: (text: string) => void = () => undefined;
  #latest: string | undefined;

  static async start(cleanup: AsyncDisposableStack, registration: Registration): Promise<ApplyingAgent> {
    const kinds = istio.writes.filter(({ group }) => !isMeshrelayGroup(group));
    const objects = [...ourObjects(), ...[...kinds, BARE].map(openCrd), ...controlPlane()];
    const { place, kubeconfig } = cleanup.use(await ApiServer.start(registration.cluster, objects));
    await using connection = connect({ file: kubeconfig });
    const secrets = new Secrets(connection, NAMESPACE);
    await secrets.create(ROOT_SECRET, { 'ca.crt': registration.roots });
    await secrets.create(TOKEN_SECRET, { token: registration.token });
    const config = agentConfig.parse({
      namespace: NAMESPACE,
      replica: 'agent-0',
      relay: { cluster: registration.cluster, serverAddress: registration.address, authority: SERVER_NAME },
      kubernetes: { kubeconfig },
      health: { listen: '127.0.0.1:0' },
      stats: { listen: '127.0.0.1:0' },
      dataPlane: { listen: '127.0.0.1:0' },
      peers: { listen: '127.0.0.1:0' },
    });
    const plugins = loadPlugins([{ module: 'plugin-istio', plugin: istio }]);
    cleanup.use(await startAgent(config, { logger: silentLogger, plugins }));
    const agent = new ApplyingAgent(cleanup.use(new BareApi(place)));
    for (const { group, version, plural } of [APPLIED, BARE])
      await agent.#api.watch(`/apis/${group}/${version}/${plural}`, (line) => agent.#hear(line));
    return agent;
  }

  private constructor(api: BareApi) {
    this.#api = api;
  }

  /** Resolves when the API server stores an object that contains this text. */
  applies(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#seen = (line) => {
        if (line.includes(text)) resolve();
      };
    });
  }

  /** Applies the agent's last object with one text replaced; resolves when the API server stores it. */
  async applyBare(from: string, to: string): Promise<void> {
    if (this.#latest === undefined) throw new Error('the agent has applied nothing yet');
    const { object } = JSON.parse(this.#latest.replaceAll(from, to)) as WatchLine;
    const { name, labels, annotations } = object.metadata;
    const [{ group, version, plural, kind }, namespace] = [BARE, NAMESPACE];
    const applied = { ...object, apiVersion: `${group}/${version}`, kind };
    Object.assign(applied, { metadata: { name, namespace, labels, annotations } });
    const there = this.applies(to);
    await this.#api.apply(`/apis/${group}/${version}/namespaces/${namespace}/${plural}/${name}`, applied);
    await there;
  }

  #hear(line: string): void {
    if (!line.includes(BARE.group)) this.#latest = line;
    this.#seen(line);
  }
}

/** An Istio control plane, as far as discovery reads it. */
function controlPlane(): KubeObject[] {
  const namespace = 'istio-system';
  const [image, app] = ['docker.io/istio/pilot:1.28.0', 'istiod'];
  const containers = [{ name: 'discovery', image, ports: [{ containerPort: 15012 }] }];
  const template = { metadata: { labels: { app } }, spec: { serviceAccountName: app, containers } };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: app, namespace, labels: { app } },
      spec: { selector: { matchLabels: { app } }, template },
    },
  ] as unknown as KubeObject[];
}
