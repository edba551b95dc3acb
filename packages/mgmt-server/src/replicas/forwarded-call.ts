/**
 * A call about a cluster that one replica of the server forwards to another: the one that the cluster's agent is
 * connected to.
 */
import { type AgentMethod, RelayError } from '@meshrelay/relay-protocol';
import * as z from 'zod';

export interface ForwardedCall {
  /** Id of the call, in the logs of both replicas. */
  readonly id: string;
  readonly cluster: string;
  /** Milliseconds for all replies. */
  readonly timeout: number;
  /** Parameters of the method; the agent parses them. */
  readonly given: unknown;
}

const question: z.ZodType<ForwardedCall> = z.strictObject({
  id: z.string().regex(/^[\w-]{1,64}$/),
  cluster: z.string().min(1).max(253),
  timeout: z.number().int().min(1).max(3_600_000),
  given: z.unknown(),
});

/** Methods that may be forwarded: those that only read. */
export type ForwardedMethod = Extract<AgentMethod, 'agent.state' | 'logs.search' | 'logs.tail' | 'traffic.edges'>;
const METHODS: Readonly<Record<ForwardedMethod, true>> = {
  'agent.state': true,
  'logs.search': true,
  'logs.tail': true,
  'traffic.edges': true,
};

export function isForwarded(method: string): method is ForwardedMethod {
  return Object.hasOwn(METHODS, method);
}

/** @throws RelayError RELAY_E_PROTOCOL naming the field and the expected value */
export function readForwardedCall(method: string, given: unknown): ForwardedCall {
  const read = question.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new RelayError('RELAY_E_PROTOCOL', `${method}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}
