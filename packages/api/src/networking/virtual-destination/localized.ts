// spec.localized of a VirtualDestination
import type * as z from 'zod/mini';
import { list } from '../../schema/collection.ts';
import type { SpecField } from '../../schema/field.ts';
import { filledIn } from '../../schema/filled-in.ts';
import { object } from '../../schema/object.ts';
import { textLike } from '../../schema/scalar.ts';
import { type DestinationSelector, destinationSelector } from '../../shared/selector.ts';
import { type OutlierDetection, outlierDetectionFields } from '../traffic/outlier-detection.ts';

/** A location as in the labels of nodes. */
export interface Locality {
  /** A region of the cloud provider. */
  readonly region: string;
  /** A zone of the region; omitted: all of them. */
  readonly zone?: string;
  /** A part of the zone; omitted: all of it. */
  readonly subZone?: string;
}

/** Where callers of a location go when no endpoint near them is healthy. */
export interface FailoverDirective {
  readonly from: Locality;
  /** Best first. */
  readonly to: readonly Locality[];
}

/**
 * Ejects endpoints that keep failing. Slower than for a single Service, since their requests then go to another
 * cluster.
 */
export interface LocalizedOutlierDetection extends OutlierDetection {
  /** Errors in a row before an endpoint is ejected. Default: 10. */
  readonly consecutiveErrors?: number;
  /** Go-style duration between two checks. Default: 5s. */
  readonly interval?: string;
  /** Go-style duration of the first ejection. Default: 2m. */
  readonly baseEjectionTime?: string;
}

/**
 * Services near the caller first: those of its own cluster, then by location. Omitted: `static` lists the Services.
 */
export interface LocalizedFailover {
  /** Omitted or empty: every destination; at most one per cluster may be selected. */
  readonly destinationSelectors?: readonly DestinationSelector[];
  /** Omitted or empty: all other regions are equal. */
  readonly failoverDirectives?: readonly FailoverDirective[];
  /** When an endpoint counts as unhealthy. Default: all that its fields mean where they are omitted. */
  readonly outlierDetection?: LocalizedOutlierDetection;
}

/** `localized.outlierDetection`: an ejected endpoint sends its requests to another cluster. */
export const defaultLocalizedOutlierDetection: Required<OutlierDetection> = {
  consecutiveErrors: 10,
  interval: '5s',
  baseEjectionTime: '2m',
  maxEjectionPercent: 100,
};

const placeName: z.ZodMiniType<string> = textLike({
  expected: 'the value of a node label, such as us-east-1: letters, digits, -, _ and .',
  pattern: /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/,
  maxLength: 63,
});

const locality: z.ZodMiniType<Locality> = object<Locality>(
  'Locality',
  { required: { region: placeName }, optional: { zone: placeName, subZone: placeName } },
  [
    {
      message: 'must have a zone where it has a subZone',
      holds: ({ zone, subZone }) => subZone === undefined || zone !== undefined,
      cel: '!has(self.subZone) || has(self.zone)',
    },
  ],
);

const failoverDirective: z.ZodMiniType<FailoverDirective> = object<FailoverDirective>('FailoverDirective', {
  required: { from: locality, to: list(locality, { minimum: 1 }) },
  optional: {},
});

const { optional: shared } = outlierDetectionFields;

const outlierDetection: z.ZodMiniType<LocalizedOutlierDetection> = object<LocalizedOutlierDetection>(
  'LocalizedOutlierDetection',
  {
    required: {},
    optional: {
      consecutiveErrors: filledIn(shared.consecutiveErrors, defaultLocalizedOutlierDetection.consecutiveErrors),
      interval: filledIn(shared.interval, defaultLocalizedOutlierDetection.interval),
      baseEjectionTime: filledIn(shared.baseEjectionTime, defaultLocalizedOutlierDetection.baseEjectionTime),
      maxEjectionPercent: filledIn(shared.maxEjectionPercent, defaultLocalizedOutlierDetection.maxEjectionPercent),
    },
  },
);

export const localized: SpecField<LocalizedFailover> = {
  schema: object<LocalizedFailover>('LocalizedFailover', {
    required: {},
    optional: {
      destinationSelectors: list(destinationSelector),
      failoverDirectives: list(failoverDirective, { maximum: 100 }),
      outlierDetection,
    },
  }),
  examples: [
    {
      destinationSelectors: [
        {
          kubeServiceMatcher: {
            labels: { app: 'books' },
            namespaces: ['shop'],
            clusters: ['cluster-1', 'cluster-2'],
            expressions: [{ key: 'tier', operator: 'In', values: ['backend'] }],
          },
        },
      ],
      failoverDirectives: [
        {
          from: { region: 'us-east-1', zone: 'us-east-1a', subZone: 'rack-1' },
          to: [{ region: 'us-east-1', zone: 'us-east-1b', subZone: 'rack-1' }, { region: 'us-west-2' }],
        },
      ],
      outlierDetection: { consecutiveErrors: 3, interval: '2s', baseEjectionTime: '1m', maxEjectionPercent: 50 },
    },
    {
      destinationSelectors: [
        { kubeServiceRefs: { services: [{ name: 'books', namespace: 'shop', clusterName: 'cluster-1' }] } },
      ],
    },
  ],
};
