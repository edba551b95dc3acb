// TCP keepalive for policies and federation.
import type * as z from 'zod/mini';
import { object } from '../schema/object.ts';
import { duration, integer } from '../schema/scalar.ts';

/** Probes that keep an idle connection alive; an omitted field keeps the operating system's value. */
export interface TcpKeepalive {
  /** Unanswered probes before the connection is closed. Default: the operating system's. */
  readonly probes?: number;
  /** Go-style duration a connection is idle before the first probe. Default: the operating system's. */
  readonly time?: string;
  /** Go-style duration between probes. Default: the operating system's. */
  readonly interval?: string;
}

/** Schema of {@link TcpKeepalive}. */
export const tcpKeepalive: z.ZodMiniType<TcpKeepalive> = object<TcpKeepalive>('TcpKeepalive', {
  required: {},
  optional: { probes: integer(1), time: duration, interval: duration },
});
