/** The request context of every handler. */
import type { Buffer } from 'node:buffer';
import type { Cluster, ReadableCluster } from '../cluster.ts';
import type { RequestAttributes } from '../faults/fault.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { TokenIssuer } from '../identity/token-issuer.ts';
import type { User } from '../identity/user.ts';
import type { ReplyForm } from './negotiate.ts';

/** A request, authenticated and with its body read. */
export interface RequestContext {
  readonly cluster: Cluster;
  /** The store for reads and watches; with a fault it may show less. */
  readonly reads: ReadableCluster;
  readonly faults: FaultPlan;
  readonly attributes: RequestAttributes;
  readonly tokens: TokenIssuer;
  readonly user: User;
  readonly method: string;
  readonly query: URLSearchParams;
  readonly accept: string | undefined;
  readonly form: ReplyForm;
  /** Media type of the body. */
  readonly type: string;
  readonly bytes: Buffer;
  readonly userAgent: string;
  /** Sentences for the reply's Warning header. */
  readonly warnings: string[];
}
