/** Settings of HTTP/2 connections that both ends share. */
import type { ChannelOptions } from '@grpc/grpc-js';
import type { RelayLimits } from '../limits.ts';

const SECOND = 1000;
const MIB = 1024 * 1024;

/** A dead peer is noticed within 15 s; the default window of 64 KiB would make a snapshot over a long way take minutes. */
export function channelOptions({ messageBytes }: RelayLimits): ChannelOptions {
  return {
    'grpc.keepalive_time_ms': 10 * SECOND,
    'grpc.keepalive_timeout_ms': 5 * SECOND,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.max_receive_message_length': messageBytes,
    'grpc.max_send_message_length': messageBytes,
    'grpc-node.flow_control_window': 4 * MIB,
  };
}
