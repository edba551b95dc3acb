/** An agent as the server sees one: the real client of the relay, over mTLS, with an invented cluster. */
import { Buffer } from 'node:buffer';
import { canonicalJson } from '@meshrelay/relay-core';
import {
  ContentIndex,
  hashOf,
  type ObjectEnvelope,
  ObjectTable,
  PullReceiver,
  PushSender,
  runRelayClient,
  Sequence,
} from '@meshrelay/relay-protocol';
import type { AgentPlan } from './messages.ts';

const GROUP = 'discovery.meshrelay.dev';
const VERSION = 'v1alpha1';
const KINDS = ['Mesh', 'Workload', 'Destination'].map((kind) => ({ group: GROUP, version: VERSION, kind }));
/** The kinds it would apply: one kind represents all. */
const WRITES = [{ group: 'networking.istio.io', version: 'v1', kind: 'VirtualService' }];

export interface SimulatedAgentOptions extends AgentPlan {
  readonly roots: string;
  readonly key: string;
  readonly objects: number;
  readonly signal: AbortSignal;
}

export class SimulatedAgent {
  readonly cluster: string;
  /** How often each object was changed. */
  readonly revisions: number[];
  /** A timed change: when it was made, in milliseconds, and the sequence number with which it was sent. */
  #timed: { readonly at: number; readonly number?: number } | undefined;
  readonly #table = new ObjectTable();
  readonly #sequence = new Sequence(1);
  #push: PushSender | undefined;
  #connected = false;

  constructor(options: SimulatedAgentOptions) {
    const { cluster, address, certificate, roots, key, objects, signal } = options;
    this.cluster = cluster;
    this.revisions = Array.from({ length: objects }, () => 0);
    for (const index of this.revisions.keys()) this.#table.upsert(this.#object(index));
    for (const kind of KINDS) this.#table.markSynced(kind);
    const contentIndex = new ContentIndex();
    void runRelayClient({
      connection: () => ({
        address,
        roots,
        cluster,
        authority: 'mgmt-server.meshrelay',
        clientCertificate: { key, certificate },
      }),
      push: () => {
        this.#push = new PushSender({ cluster, sequence: this.#sequence, table: this.#table, kinds: KINDS });
        return this.#push;
      },
      pull: () =>
        new PullReceiver({
          cluster,
          term: this.#sequence.term,
          kinds: WRITES,
          contentIndex,
          applied: new Map(),
          applier: { apply: () => [] },
        }),
      signal,
      onState: ({ state }) => {
        this.#connected = state === 'connected';
      },
    });
  }

  /** Whether it is connected, and everything it has sent is acknowledged. */
  get settled(): boolean {
    const push = this.#push;
    return this.#connected && push !== undefined && push.depth === 0 && push.answered >= this.#sequence.last;
  }

  /** Changes one object. */
  change(index: number): void {
    this.revisions[index] = (this.revisions[index] ?? 0) + 1;
    this.#timed ??= { at: performance.now() };
    this.#table.upsert(this.#object(index));
  }

  /** Milliseconds that acknowledged changes took since the last call. Others may be in flight. */
  answered(): number | undefined {
    const push = this.#push;
    if (this.#timed === undefined || push === undefined) return undefined;
    const { at, number = push.depth === 0 ? this.#sequence.last : undefined } = this.#timed;
    if (number !== undefined) this.#timed = { at, number };
    if (number === undefined || push.answered < number) return undefined;
    this.#timed = undefined;
    return performance.now() - at;
  }

  /** Workloads and Destinations in turn. */
  #object(index: number): ObjectEnvelope {
    return envelope(index % 2 === 0 ? this.#workload(index) : this.#destination(index));
  }

  #workload(index: number): Made {
    const name = `app-${index}`;
    const controller = { kind: 'Deployment', name, namespace: 'load', clusterName: this.cluster };
    const podLabels = { app: name, version: 'v1', revision: String(this.revisions[index]) };
    return made('Workload', name, { kubernetes: { controller, serviceAccountName: name, podLabels } });
  }

  #destination(index: number): Made {
    const name = `app-${index}`;
    const labels = { app: name, revision: String(this.revisions[index]) };
    const kubeService = {
      ref: { name, namespace: 'load', clusterName: this.cluster },
      workloadSelectorLabels: { app: name },
      labels,
      ports: [{ port: 9080, name: 'http', protocol: 'TCP', targetPortNumber: 9080 }],
      endpointSubsets: [
        {
          endpoints: [{ ipAddress: '10.0.0.7', labels: { app: name } }],
          ports: [{ port: 9080, name: 'http', protocol: 'TCP' }],
        },
      ],
      serviceType: 'CLUSTER_IP',
    };
    return made('Destination', name, { kubeService });
  }
}

interface Made {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: object;
}

function made(kind: string, name: string, spec: object): Made {
  return { apiVersion: `${GROUP}/${VERSION}`, kind, metadata: { name, namespace: 'load' }, spec };
}

function envelope(object: Made): ObjectEnvelope {
  const body = Buffer.from(canonicalJson(object));
  const { kind, metadata } = object;
  return { group: GROUP, version: VERSION, kind, ...metadata, hash: hashOf(body), body };
}
