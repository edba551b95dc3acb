/** Real requests of Bookinfo: the application of a pod sends them through its sidecar. */
import { eventually } from '@meshrelay/testing';
import type { RealCluster } from '../../lab/real-cluster.ts';
import { INTERVAL, WITHIN } from '../fleet.ts';
import { BOOKINFO, CONTROL_PORT } from './objects.ts';

export interface Answer {
  /** 0 without an answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export interface Question {
  /** The application that sends the request. */
  readonly from: string;
  readonly url: string;
}

/** What an answer must have. */
export interface Expected {
  readonly status: number;
  /** The cluster whose application answers. */
  readonly cluster?: string;
  /** Headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request. @throws Error if no pod of the application is ready, or none can be asked */
export async function send(cluster: RealCluster, { from, url }: Question): Promise<Answer> {
  const query = new URLSearchParams({ url, ...(await meshAddress(cluster, new URL(url).hostname)) });
  return (await control(cluster, from, `send?${query}`)) as Answer;
}

/** Sends requests until the answer is the expected one, then some more, which must have it too. */
export async function answered(cluster: RealCluster, question: Question, expected: Expected): Promise<void> {
  let seen: unknown;
  const matches = async (): Promise<boolean> => {
    const answer = await send(cluster, question);
    seen = answer;
    return isExpected(answer, expected);
  };
  const what = `${question.from} of ${cluster.name} gets ${JSON.stringify(expected)} from ${question.url}`;
  await eventually(what, matches, { deadline: WITHIN, every: INTERVAL, seen: () => seen });
  for (let more = 0; more < 3; more += 1)
    if (!(await matches())) throw new Error(`${what}, and later it does not: ${JSON.stringify(seen)}`);
}

export function isExpected({ status, headers, body }: Answer, expected: Expected): boolean {
  const hasHeaders = Object.entries(expected.headers ?? {}).every(([name, value]) => headers[name] === value);
  if (status !== expected.status || !hasHeaders) return false;
  return expected.cluster === undefined || JSON.parse(body).cluster === expected.cluster;
}

/** Makes an application fail all requests and its readiness probe, or ends that. */
export async function setHealth(cluster: RealCluster, application: string, to: 'fail' | 'recover'): Promise<void> {
  await control(cluster, application, to);
}

/** Sends a request to the control port of a pod, ready or not, through the API server. */
async function control({ name, client }: RealCluster, application: string, path: string): Promise<unknown> {
  const pods = `/api/v1/namespaces/${BOOKINFO}/pods`;
  const { body } = await client.get(`${pods}?labelSelector=${encodeURIComponent(`app=${application}`)}`);
  // biome-ignore lint/suspicious/noExplicitAny: as the server sent it
  const pod = (body.items as readonly any[]).find(({ metadata, status }) => {
    return metadata.deletionTimestamp === undefined && status.phase === 'Running';
  });
  if (pod === undefined) throw new Error(`no pod of ${application} runs in ${name}`);
  const reply = await client.get(`${pods}/${pod.metadata.name}:${CONTROL_PORT}/proxy/${path}`);
  if (reply.status !== 200) throw new Error(`${application} of ${name} cannot ${path}: ${reply.status} ${reply.text}`);
  return reply.body;
}

/** The address of a name that only the mesh has, as the mesh's DNS would answer. */
async function meshAddress({ client }: RealCluster, host: string): Promise<{ readonly address?: string }> {
  if (!host.includes('.')) return {};
  const { body } = await client.get('/apis/networking.istio.io/v1/serviceentries');
  // biome-ignore lint/suspicious/noExplicitAny: as the server sent it
  const entry = (body.items as readonly any[]).find(({ spec }) => spec.hosts.includes(host));
  const address = entry?.spec.addresses?.[0];
  return address === undefined ? {} : { address };
}

/** Requests, one after the other, while other steps run, until it is stopped or disposed. */
export class SteadyRequests implements AsyncDisposable {
  readonly #cluster: RealCluster;
  readonly #question: Question;
  readonly #failed: string[] = [];
  readonly #ended: Promise<void>;
  #sent = 0;
  #stopped = false;

  constructor(cluster: RealCluster, question: Question) {
    this.#cluster = cluster;
    this.#question = question;
    this.#ended = this.#loop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    await this.#ended;
  }

  /** @returns how many were sent @throws Error with those that failed */
  async stop(): Promise<number> {
    await this[Symbol.asyncDispose]();
    if (this.#failed.length > 0)
      throw new Error(
        `${this.#failed.length} of ${this.#sent} requests failed: ${this.#failed.slice(0, 5).join('\n')}`,
      );
    return this.#sent;
  }

  async #loop(): Promise<void> {
    while (!this.#stopped) {
      this.#sent += 1;
      await send(this.#cluster, this.#question)
        .then(({ status, body }) => {
          if (status !== 200) this.#failed.push(`${status} ${body}`);
        })
        .catch((error: Error) => this.#failed.push(error.message));
      await new Promise((resolve) => setTimeout(resolve, INTERVAL));
    }
  }
}
