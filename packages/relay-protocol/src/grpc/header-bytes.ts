/**
 * Size of the headers of a call. grpc-js has no limit for them, and HTTP/2's limit binds only clients that confirm it.
 */
import type { Metadata } from '@grpc/grpc-js';

/** Counted as HTTP/2 does for SETTINGS_MAX_HEADER_LIST_SIZE: for each field its name, its value, and 32. */
export function headerBytes(metadata: Metadata): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(metadata.toHttp2Headers()))
    for (const one of Array.isArray(value) ? value : [value]) bytes += name.length + String(one).length + 32;
  return bytes;
}
