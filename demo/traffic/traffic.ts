/** Real requests through real Envoys, and their results. */
import { until, type WaitOptions } from '@meshrelay/local-fleet';
import { type Answer, ask } from './ask.ts';
import type { Answered, RunningPod } from './library.ts';

/** Counts of responses. */
export interface Traffic {
  /** Running Envoys. */
  readonly envoys: number;
  /** Responses to the desk: by version, or by status if the request failed. */
  readonly desk: Readonly<Record<string, number>>;
  /** The identity by which the desk was known there. */
  readonly caller: string;
  /** Responses to the visitor, likewise. */
  readonly visitor: Readonly<Record<string, number>>;
}

/** Requests per sender. */
export const REQUESTS = { desk: 100, visitor: 10 } as const;

/** The addresses of the two senders. */
export interface Sidecars {
  readonly desk: string;
  readonly visitor: string;
}

export interface Sent {
  readonly traffic: Traffic;
  readonly sidecars: Sidecars;
}

/**
 * Sends loan requests from desk and visitor. @throws NotConverged if Envoys do not apply their configuration in time
 */
export async function sendTraffic(pods: readonly RunningPod[], timeoutMs: WaitOptions): Promise<Sent> {
  const [desk, visitor] = [addressOf(pods, 'desk'), addressOf(pods, 'visitor')];
  await untilConfigured({ desk, visitor }, pods, timeoutMs);
  const answers = await send(desk, REQUESTS.desk);
  const traffic: Traffic = {
    envoys: pods.length,
    desk: counted(answers),
    caller: answers.flatMap((answer) => answered(answer)?.caller ?? [])[0] ?? '',
    visitor: counted(await send(visitor, REQUESTS.visitor)),
  };
  return { traffic, sidecars: { desk, visitor } };
}

/**
 * Each Envoy gets its configuration separately. It takes a moment until both versions serve the desk without a lost
 * request, and the visitor is denied.
 */
async function untilConfigured(
  { desk, visitor }: Sidecars,
  pods: readonly RunningPod[],
  timeoutMs: WaitOptions,
): Promise<void> {
  const seen = new Set<string>();
  let last = '';
  const lastWords = (): string => pods.map(({ app, envoy }) => `${app}: ${envoy.lastWords()}`).join('\n');
  const missing = (): string => `${last}; last lines of the Envoys' logs:\n${lastWords()}`;
  await until('the Envoys to apply their configuration', { ...timeoutMs, missing }, async () => {
    try {
      const [lent, refused] = await Promise.all([ask(desk), ask(visitor)]);
      last = `the desk got ${textOf(lent)}, the visitor ${textOf(refused)}`;
      const version = answered(lent)?.version;
      if (version === undefined) seen.clear();
      else seen.add(version);
      return seen.size === 2 && refused.status === 403 ? true : undefined;
    } catch (error) {
      last = `a sidecar did not answer: ${(error as Error).message}`;
      return undefined;
    }
  });
}

/** One after the other, as a person would count them. */
async function send(sidecar: string, count: number): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) answers.push(await ask(sidecar));
  return answers;
}

function counted(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    const what = answered(answer)?.version ?? String(answer.status);
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function answered({ status, body }: Answer): Answered | undefined {
  return status === 200 ? (JSON.parse(body) as Answered) : undefined;
}

function textOf({ status, body }: Answer): string {
  return `${status} ${body.trim()}`;
}

function addressOf(pods: readonly RunningPod[], app: string): string {
  const found = pods.find((pod) => pod.app === app);
  if (found === undefined) throw new Error(`the library has no pod of ${app}`);
  return found.address;
}
