/** A conformance case: one behaviour of a Kubernetes API server over HTTP. */
import type { Client, Reply } from '@meshrelay/testing/api-server';

/** The environment of a case. */
export interface CaseContext {
  readonly client: Client;
  /** Its own namespace, created for the case and removed after it. */
  readonly namespace: string;
  /** Path of the widgets of that namespace; see `widget-crd.ts`. */
  readonly widgets: string;
  /** Path of a core resource of that namespace. */
  core(plural: string): string;
}

/** One behaviour; `run` throws if the server behaves differently. */
export interface ConformanceCase {
  readonly name: string;
  readonly run: (context: CaseContext) => Promise<void>;
}

/** Names cases `area: behaviour`. */
export function area(name: string, cases: Readonly<Record<string, ConformanceCase['run']>>): ConformanceCase[] {
  return Object.entries(cases).map(([behaviour, run]) => ({ name: `${name}: ${behaviour}`, run }));
}

/** The reply, or an error that shows the actual status. */
export function expectStatus(reply: Reply, status: number): Reply {
  if (reply.status !== status) throw new Error(`expected ${status}, got ${reply.status}: ${reply.text.slice(0, 2000)}`);
  return reply;
}

/** Checks an error: its HTTP code, reason and message. */
export function expectFailure(reply: Reply, code: number, reason: string | undefined, message: string | RegExp): void {
  expectStatus(reply, code);
  const { body } = reply;
  const fits = typeof message === 'string' ? body?.message === message : message.test(body?.message ?? '');
  if (body?.kind !== 'Status' || body.status !== 'Failure' || body.code !== code || body.reason !== reason || !fits)
    throw new Error(`expected ${reason} ${message}, got: ${reply.text.slice(0, 2000)}`);
}
