/**
 * Rejects calls with large headers: grpc-js has no limit for them, and HTTP/2's limit binds only clients that confirm
 * it.
 */
import { type Metadata, type ServiceDefinition, status, type UntypedServiceImplementation } from '@grpc/grpc-js';

/** The used part of any call. */
interface Call {
  readonly metadata: Metadata;
  emit(event: 'error', error: Rejection): boolean;
}
interface Rejection {
  readonly code: status;
  readonly details: string;
}
type Handler = (call: Call, callback?: (error: Rejection) => void) => void;

/** A token and the names of a proxy take a few KiB. */
const MAX_HEADER_BYTES = 16 * 1024;

/** Wraps handlers so that calls with too large headers are rejected. */
export function limitedHeaders(
  definition: ServiceDefinition,
  handlers: UntypedServiceImplementation,
  headerBytes: (metadata: Metadata) => number,
): UntypedServiceImplementation {
  const limited = (name: string, handler: Handler): Handler => {
    return (call, callback) => {
      const bytes = headerBytes(call.metadata);
      if (bytes <= MAX_HEADER_BYTES) return handler(call, callback);
      const rejection = {
        code: status.RESOURCE_EXHAUSTED,
        details: `${name} accepts at most ${MAX_HEADER_BYTES} bytes of headers, but got ${bytes}`,
      };
      if (definition[name]?.responseStream === true) call.emit('error', rejection);
      else callback?.(rejection);
    };
  };
  const entries = Object.entries(handlers).map(([name, handler]) => [name, limited(name, handler as Handler)]);
  return Object.fromEntries(entries) as UntypedServiceImplementation;
}
