// spec.policy.outlierDetection

import type { SpecField } from '../../schema/field.ts';
import { type Fields, object } from '../../schema/object.ts';
import { duration, integer } from '../../schema/scalar.ts';

/** Ejects endpoints that keep failing. */
export interface OutlierDetection {
  /** Errors in a row before an endpoint is ejected. Default: 5. */
  readonly consecutiveErrors?: number;
  /** Go-style duration between two checks. Default: 10s. */
  readonly interval?: string;
  /** Go-style duration of the first ejection. Default: 30s. */
  readonly baseEjectionTime?: string;
  /** Percent of the endpoints that may be ejected at once, 0 to 100. Default: 100. */
  readonly maxEjectionPercent?: number;
}

/** Defaults of omitted members in a TrafficPolicy. */
export const defaultOutlierDetection: Required<OutlierDetection> = {
  consecutiveErrors: 5,
  interval: '10s',
  baseEjectionTime: '30s',
  maxEjectionPercent: 100,
};

/** A VirtualDestination has the same members with other defaults. */
export const outlierDetectionFields: Fields<OutlierDetection> = {
  required: {},
  optional: {
    consecutiveErrors: integer(1),
    interval: duration,
    baseEjectionTime: duration,
    maxEjectionPercent: integer(0, 100),
  },
};

export const outlierDetection: SpecField<OutlierDetection> = {
  schema: object<OutlierDetection>('OutlierDetection', outlierDetectionFields),
  defaults: defaultOutlierDetection,
  examples: [{ consecutiveErrors: 3, interval: '5s', baseEjectionTime: '1m', maxEjectionPercent: 50 }],
};
