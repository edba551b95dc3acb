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

/** A peer that is gone without a word is noticed within 15 s. */
export const DEFAULT_KEEPALIVE: Keepalive = { every: 10 * SECOND, patience: 4 * SECOND };

/** HTTP/2's default window of 64 KiB would make a snapshot over a long way take minutes. */
export function channelOptions(
  { messageBytes }: RelayLimits,
  { every, patience }: Keepalive = DEFAULT_KEEPALIVE,
): ChannelOptions {
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
