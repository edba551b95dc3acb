/** The relay between agents and management server: messages, streams, chunking, gRPC. */

export { agreedCapabilities, CAPABILITIES, type Capability, MACHINE_CAPABILITIES } from './capabilities.ts';
export type {
  RegisterRequest,
  RegisterResponse,
  RenewRequest,
  RenewResponse,
  SignRequest,
  SignResponse,
  TrustRequest,
  TrustResponse,
} from './codec/wire.ts';
export { asRelayError, isRejection, isRelayErrorCode, RelayError, type RelayErrorCode, type Retry } from './errors.ts';
export { type Backoff, backoffDelay, DEFAULT_BACKOFF } from './grpc/backoff.ts';
export { AGENT_KEEPALIVE, type Keepalive, SERVER_KEEPALIVE } from './grpc/channel-options.ts';
export type { GuardReason } from './grpc/connection-guard.ts';
export { type ConnectionLimits, DEFAULT_CONNECTION_LIMITS } from './grpc/connection-limits.ts';
export { headerBytes } from './grpc/header-bytes.ts';
export type { Caller, Credential, Identify, IdentifyResult, IdentifyToken, TokenIdentity } from './grpc/identity.ts';
export { DEFAULT_HEARTBEATS, type Heartbeats } from './grpc/pump.ts';
export {
  type ConnectionHooks,
  type RelayClientOptions,
  type RelayClientState,
  type RelayDial,
  runRelayClient,
} from './grpc/relay-client.ts';
export {
  connectRelay,
  type RelayConnection,
  type RelayConnectionOptions,
  type RelayStream,
} from './grpc/relay-connection.ts';
export {
  type InvokeMachine,
  type PullMachine,
  type PushMachine,
  type RegisterContext,
  type RelayServer,
  type RelayServerOptions,
  type RenewContext,
  startRelayServer,
} from './grpc/relay-server.ts';
export type { RelaySession, StreamName } from './grpc/relay-session.ts';
export type { RelayServerTls } from './grpc/server-tls.ts';
export { type CallOptions, InvokeCaller, type InvokeCallerOptions } from './invoke/invoke-caller.ts';
export {
  type CallContext,
  type Handler,
  type Handlers,
  InvokeResponder,
  type InvokeResponderOptions,
} from './invoke/invoke-responder.ts';
export { type After, DEFAULT_INVOKE_LIMITS, type InvokeLimits } from './invoke/limits.ts';
export type {
  LogBatch,
  LogFilter,
  LoggedEntry,
  LogSearch,
  LogTail,
  ReplicaAnswer,
  WorkloadName,
} from './invoke/log-methods.ts';
export { Merged } from './invoke/merged.ts';
export type { AgentMethod, AgentMethods, AgentRejection, AgentState } from './invoke/methods.ts';
export { NewestEntries, type NewestLimits } from './invoke/newest-entries.ts';
export { afterReally } from './invoke/timer.ts';
export type { EdgeTotals, TrafficBatch } from './invoke/traffic-methods.ts';
export { DEFAULT_LIMITS, type RelayLimits, relayLimits } from './limits.ts';
export { type Logger, type LogMethod, SILENT } from './logger.ts';
export {
  IN_PROCESS,
  LoopbackRelay,
  type LoopbackRelayOptions,
  type LoopbackStreams,
} from './loopback/loopback-relay.ts';
export type * from './message.ts';
export { ContentIndex, type Held } from './object/content-index.ts';
export { BUCKETS, BucketDigests, bucketOf, diffDigests, digestOf } from './object/digest.ts';
export {
  entryId,
  entryOf,
  isRetained,
  keepEnvelope,
  kindId,
  type ObjectEnvelope,
  type ObjectKey,
  type ObjectKind,
  objectId,
} from './object/envelope.ts';
export { hashOf } from './object/hash.ts';
export { type IntakeFault, objectFault } from './object/intake.ts';
export { KindSets } from './object/kind-sets.ts';
export { ObjectTable, type TableEntry, type TableListener } from './object/object-table.ts';
export { Quarantine } from './object/quarantine.ts';
export { refusedObjectAction } from './object/refused-objects.ts';
export { DesiredOutputs, type OutputCommit } from './stream/desired-outputs.ts';
export type { MachineDriver, StreamMachine } from './stream/machine.ts';
export { type MachineObserver, observed } from './stream/observed.ts';
export {
  type OutputApplier,
  type OutputBatch,
  PullReceiver,
  type PullReceiverOptions,
} from './stream/pull-receiver.ts';
export { PullSender, type PullSenderOptions } from './stream/pull-sender.ts';
export { type InputBatch, PushReceiver, type PushReceiverOptions, type PushSink } from './stream/push-receiver.ts';
export { PushSender, type PushSenderOptions, Sequence } from './stream/push-sender.ts';
export { ResumeHint } from './stream/resume-hint.ts';
export { inputName, movedInputs } from './vector/input-name.ts';
export {
  compareVectors,
  compareVersions,
  GONE,
  type InputVector,
  type InputVersion,
  type VectorOrder,
} from './vector/input-vector.ts';
