/** Receives access logs and metrics of Envoy proxies. */
export { AlsDecoder, type MessageVisitor } from './codec/als-decoder.ts';
export { ALL_FIELDS, FIELD_NAMES, type Projection, projectionOf } from './codec/projection.ts';
export type { AccessLogFields, FieldName, FilterStateObject, Texts } from './entry/access-log-fields.ts';
export { WireError } from './wire/wire-error.ts';
