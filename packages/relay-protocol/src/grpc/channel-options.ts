/** Settings of HTTP/2 connections that both ends share. */
import type { ChannelOptions } from '@grpc/grpc-js';
import type { RelayLimits } from '../limits.ts';

const SECOND = 1000;
const MIB = 1024 * 1024;

/** In milliseconds. */
export interface Keepalive {
  /** Between two pings of an agent; from a connection's last byte to a server's ping. */
  readonly every: number;
  /** How long the answer is waited for. */
  readonly timeoutMs: number;
}

/** Agents notice within 18 s that a server is gone without a word: of the 20 s in which they are to be at another, the rest is for getting there. */
export const AGENT_KEEPALIVE: Keepalive = { every: 15 * SECOND, timeoutMs: 3 * SECOND };

/**
 * A server asks connections from which nothing came for so long, and no others. It has nothing to do about an agent that is gone but to say so: the agent's next
 * connection takes the place of the dead one.
 */
export const SERVER_KEEPALIVE: Keepalive = { every: 30 * SECOND, timeoutMs: 10 * SECOND };

/** HTTP/2's default window of 64 KiB would make a snapshot over a long way take minutes. Without `keepalive` grpc-js sends no pings. */
export function channelOptions({ messageBytes }: RelayLimits, keepalive?: Keepalive): ChannelOptions {
  return {
    ...(keepalive === undefined ? {} : pings(keepalive)),
    'grpc.max_receive_message_length': messageBytes,
    'grpc.max_send_message_length': messageBytes,
    'grpc-node.flow_control_window': 4 * MIB,
    // Nobody looks at it, and it costs memory for each connection.
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
