/** How a container is asked whether it is well, and what runs when it starts and ends. */
import type { SchemaNode } from '../object.ts';
import { int32, int64, intOrText, listOf, or, record, text, textOr } from './build.ts';

const execAction = record({ command: listOf(text) });

const gRPCAction = record({ port: int32, service: textOr('') }, 'port');

const hTTPHeader = record({ name: text, value: text }, 'name', 'value');

const hTTPGetAction = record(
  { host: text, httpHeaders: listOf(hTTPHeader), path: textOr('/'), port: intOrText, scheme: textOr('HTTP') },
  'port',
);

const tCPSocketAction = record({ host: text, port: intOrText }, 'port');

/** A question put to a container again and again. */
export const probe: SchemaNode = record({
  exec: execAction,
  failureThreshold: or(int32, 3),
  grpc: gRPCAction,
  httpGet: hTTPGetAction,
  initialDelaySeconds: int32,
  periodSeconds: or(int32, 10),
  successThreshold: or(int32, 1),
  tcpSocket: tCPSocketAction,
  terminationGracePeriodSeconds: int64,
  timeoutSeconds: or(int32, 1),
});

const sleepAction = record({ seconds: int64 }, 'seconds');

const lifecycleHandler = record({
  exec: execAction,
  httpGet: hTTPGetAction,
  sleep: sleepAction,
  tcpSocket: tCPSocketAction,
});

/** What runs after a container starts and before it ends. */
export const lifecycle: SchemaNode = record({
  postStart: lifecycleHandler,
  preStop: lifecycleHandler,
  stopSignal: text,
});
