/** How large the headers of a call are. grpc-js takes no limit for them, and HTTP/2's binds only clients that confirm it. */
import type { Metadata } from '@grpc/grpc-js';

/** As HTTP/2 counts them for SETTINGS_MAX_HEADER_LIST_SIZE: of each field its name, its value, and 32. */
export function headerBytes(metadata: Metadata): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(metadata.toHttp2Headers()))
    for (const one of Array.isArray(value) ? value : [value]) bytes += name.length + String(one).length + 32;
  return bytes;
}
