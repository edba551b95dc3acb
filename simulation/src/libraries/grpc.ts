/** Takes the place of grpc-js where the relay uses it: calls travel as bytes over the simulated network. */
export { experimental, Metadata, ServerCredentials, status } from '@grpc/grpc-js';
export { Client, credentials } from './grpc/client.ts';
export { Server } from './grpc/server.ts';
