/** Envoy's messages, and functions to write and read them. Runs anywhere: needs neither Node nor gRPC. */
export {
  create,
  type DescMessage,
  equals,
  fromBinary,
  isMessage,
  type JsonObject,
  type JsonValue,
  type Message,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
export {
  type Any,
  AnySchema,
  type Duration,
  DurationSchema,
  StringValueSchema,
  type Timestamp,
} from '@bufbuild/protobuf/wkt';
export * from './gen/packages.ts';
export { pack, packMessage, typeUrlOf, unpack } from './messages/any.ts';
export { messageFromJson, messageToJson } from './messages/json.ts';
export { registry } from './messages/registry.ts';
export {
  ComposedRoutes,
  type HostProblem,
  type ObjectResource,
  type ObjectSpec,
  type ObjectTarget,
} from './routes/composed-routes.ts';
export { codeOf, MODULE_CLUSTER, referenceIn, type WasmModuleReference } from './wasm/module-reference.ts';
