/** Loads for HTTP/2 servers: gRPC messages on many streams, and frames that no library would write. */
export { callHeaders, frame, PREFACE, TYPE } from './frames.ts';
export { type Pouring, pour } from './pour.ts';
