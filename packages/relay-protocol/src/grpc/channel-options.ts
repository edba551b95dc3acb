/** Settings of HTTP/2 connections that both ends share. */
import type { ChannelOptions } from '@grpc/grpc-js';
import type { RelayLimits } from '../limits.ts';

const SECOND = 1000;
const MIB = 1024 * 1024;

/** In milliseconds. */
export interface Keepalive {
  /** Between two pings. */
  readonly every: number;
  /** How long the answer is waited for. */
  readonly patience: number;
}

/** Agents notice within 15 s that a server is gone without a word, and go to another. */
export const AGENT_KEEPALIVE: Keepalive = { every: 10 * SECOND, patience: 4 * SECOND };

/**
 * A server that pings as often doubles what a thousand agents that do nothing cost it, and has nothing to do about one that is gone but to say so: the agent's next
 * connection takes the place of the dead one.
 */
export const SERVER_KEEPALIVE: Keepalive = { every: 60 * SECOND, patience: 10 * SECOND };

/** HTTP/2's default window of 64 KiB would make a snapshot over a long way take minutes. */
export function channelOptions({ messageBytes }: RelayLimits, { every, patience }: Keepalive): ChannelOptions {
  return {
    'grpc.keepalive_time_ms': every,
    'grpc.keepalive_timeout_ms': patience,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.max_receive_message_length': messageBytes,
    'grpc.max_send_message_length': messageBytes,
    'grpc-node.flow_control_window': 4 * MIB,
    // Nobody looks at it, and it costs memory for each connection.
    'grpc.enable_channelz': 0,
  };
}
