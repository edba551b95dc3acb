/**
 * Replicas of a server in one process, reduced to calls to agents: each with the streams of some agents, and a port for
 * the others.
 */
import type { Agent } from 'node:https';
import {
  callPeer,
  makePeerKeys,
  type Peer,
  type PeerKeys,
  PeerServer,
  peerConnections,
  readPeerKeys,
} from '@meshrelay/peers';
import { type AgentMethod, afterReally } from '@meshrelay/relay-protocol';
import { silentLogger } from '@meshrelay/telemetry';
import type { AgentLookupContext } from '../../src/observe/lookup-agent.ts';
import { Connections } from '../../src/relay/connections.ts';
import { CallForwarder, type ForwardResult } from '../../src/replicas/call-forwarder.ts';
import { OwnAgents } from '../../src/replicas/own-agents.ts';
import { SERVER_PEERS } from '../../src/replicas/server-peers.ts';
import { type LogAnswers, LoggingAgents } from './logging-agents.ts';

const keys = readPeerKeys(SERVER_PEERS, await makePeerKeys(SERVER_PEERS, new Date())) as PeerKeys;

export class Replica {
  readonly name: string;
  readonly agents: LoggingAgents = new LoggingAgents();
  readonly connections: Connections = new Connections();
  readonly knowledge: AgentLookupContext;
  readonly counted: ForwardResult[] = [];
  readonly server: PeerServer;

  constructor(name: string, server: PeerServer, fleet: AgentLookupContext['fleet'], replicas: Replicas) {
    this.name = name;
    this.server = server;
    const known = { fleet, connections: this.connections, agents: this.agents.callers };
    const onPeer = new CallForwarder({
      knowledge: known,
      directory: {
        named: async (replica) => replicas.peer(replica),
        uncertainty: () => undefined,
      },
      connections: replicas.connections,
      keys: () => keys,
      sleep: () => replicas.looked(this),
      after: afterReally,
      counted: (result) => this.counted.push(result),
      logger: silentLogger,
    });
    this.knowledge = { ...known, onPeer };
  }

  /** An agent connects here. @returns the function that disconnects it */
  async connect(cluster: string, answers: LogAnswers, capabilities?: readonly string[]): Promise<() => void> {
    const end = this.agents.connect(cluster, answers, capabilities);
    // A new connection starts with its hello.
    await new Promise((resume) => setImmediate(resume));
    return end;
  }

  /** Records the announcement that a cluster's agent is connected to another replica. */
  hears(cluster: string, of: string): void {
    const word = { record: { replica: of, connected: true, inputs: {}, outputs: { behind: [] } }, refused: [] };
    this.connections.onPeerAnnouncement(cluster, word as never);
  }
}

export class Replicas implements AsyncDisposable {
  readonly all: Map<string, Replica> = new Map();
  /** The pods as listed, including killed ones. */
  readonly #pods = new Map<string, Peer>();
  readonly connections: Agent = peerConnections();
  /** Called before a replica looks up an agent again. */
  onLook: (replica: Replica, check: number) => void | Promise<void> = () => undefined;
  attempts = 0;

  async start(name: string, fleet: AgentLookupContext['fleet']): Promise<Replica> {
    const answers: { own?: OwnAgents } = {};
    const server = await PeerServer.start({
      listen: { host: '127.0.0.1', port: 0 },
      replica: name,
      answers: {
        knows: (method) => answers.own?.knows(method) ?? false,
        answer: (method, given, signal) => (answers.own as OwnAgents).answer(method, given, signal),
      },
      onFailed: () => undefined,
    });
    server.use(keys);
    const replica = new Replica(name, server, fleet, this);
    answers.own = new OwnAgents({ replica: name, agents: replica.agents.callers, logger: silentLogger });
    this.all.set(name, replica);
    this.#pods.set(name, { replica: name, address: '127.0.0.1', port: server.port });
    return replica;
  }

  /** Simulates the end of its process. */
  async kill(name: string): Promise<void> {
    await this.all.get(name)?.server[Symbol.asyncDispose]();
    this.all.delete(name);
  }

  peer(name: string): Peer {
    const pod = this.#pods.get(name);
    if (pod === undefined) throw new Error(`no pod ${name}`);
    return pod;
  }

  looked(replica: Replica): Promise<void> {
    return Promise.resolve(this.onLook(replica, ++this.attempts));
  }

  /** Calls a replica as another one does. */
  ask(name: string, method: AgentMethod | string, given: unknown): AsyncGenerator<unknown> {
    return callPeer(this.peer(name), keys, { method, given, signal: new AbortController().signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.connections.destroy();
    for (const name of [...this.all.keys()]) await this.kill(name);
  }
}
