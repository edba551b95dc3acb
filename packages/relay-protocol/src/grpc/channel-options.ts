/** Settings of HTTP/2 connections for both ends. */
import type { ChannelOptions } from '@grpc/grpc-js';
import type { RelayLimits } from '../limits.ts';

const SECOND = 1000;
const MIB = 1024 * 1024;

/** In milliseconds. */
export interface Keepalive {
  /** Interval between two pings of an agent; for a server, the idle time of a connection before a ping. */
  readonly every: number;
  /** Timeout of the answer. */
  readonly timeoutMs: number;
}

/**
 * Agents notice within 18 s that a server is unreachable. Of their 20 s to reach another server, the rest is for
 * connecting.
 */
export const AGENT_KEEPALIVE: Keepalive = { every: 15 * SECOND, timeoutMs: 3 * SECOND };

/**
 * A server pings only connections that were idle for this long. It only has to report a lost agent: the agent's next
 * connection replaces the dead one.
 */
export const SERVER_KEEPALIVE: Keepalive = { every: 30 * SECOND, timeoutMs: 10 * SECOND };

/**
 * HTTP/2's default window of 64 KiB would make a snapshot over a link with high latency take minutes. Without
 * `keepalive` grpc-js sends no pings.
 */
export function channelOptions({ messageBytes }: RelayLimits, keepalive?: Keepalive): ChannelOptions {
  return {
    ...(keepalive === undefined ? {} : pings(keepalive)),
    'grpc.max_receive_message_length': messageBytes,
    'grpc.max_send_message_length': messageBytes,
    'grpc-node.flow_control_window': 4 * MIB,
    // Unused, and it costs memory per connection.
    'grpc.enable_channelz': 0,
  };
}

function pings({ every, timeoutMs }: Keepalive): ChannelOptions {
  return {
    'grpc.keepalive_time_ms': every,
    'grpc.keepalive_timeout_ms': timeoutMs,
    'grpc.keepalive_permit_without_calls': 1,
  };
}
