/** Loads for servers of HTTP/2: messages of gRPC on many streams, and frames as no library would write them. */
export { callHeaders, frame, PREFACE, TYPE } from './frames.ts';
export { type Pouring, pour } from './pour.ts';
