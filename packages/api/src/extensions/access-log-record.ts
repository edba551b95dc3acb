// AccessLogRecord: which requests of workloads are logged.
import type * as z from 'zod/mini';
import type { EXTENSIONS_API_VERSION } from '../group.ts';
import type { KubeObject } from '../kube/object.ts';
import { fieldsOf } from '../schema/field.ts';
import { object } from '../schema/object.ts';
import type { PolicyStatus } from '../shared/status.ts';
import { ACCESS_LOG_FIELDS, type AccessLogRecordSpec } from './access-log/fields.ts';

/**
 * Which requests of workloads are logged. Several records for one workload all apply: everything that any of them
 * selects is logged.
 */
export interface AccessLogRecord extends KubeObject<AccessLogRecordSpec, PolicyStatus> {
  readonly apiVersion: typeof EXTENSIONS_API_VERSION;
  readonly kind: 'AccessLogRecord';
}

/** Schema of {@link AccessLogRecordSpec}. */
export const accessLogRecordSpec: z.ZodMiniType<AccessLogRecordSpec> = object<AccessLogRecordSpec>(
  'AccessLogRecordSpec',
  fieldsOf<AccessLogRecordSpec>(ACCESS_LOG_FIELDS, {}),
);
