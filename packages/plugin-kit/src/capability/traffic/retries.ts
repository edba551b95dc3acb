import { access } from '../probe.ts';
import { rules, type TrafficFieldSamples } from './field.ts';

// Some meshes retry only for callers that an AccessPolicy names.
const callers = access({});

export const retries: TrafficFieldSamples<'retries'> = {
  probes: {
    'route.retries': { asks: [callers, rules({ retries: { attempts: 2 } })], without: [callers] },
    'route.retries.backoff': {
      asks: [callers, rules({ retries: { attempts: 2, backoff: '80ms' } })],
      without: [callers, rules({ retries: { attempts: 2 } })],
    },
    'route.retries.retryOn': {
      asks: [callers, rules({ retries: { attempts: 2, retryOn: ['gateway-error'] } })],
      without: [callers, rules({ retries: { attempts: 2 } })],
      refused: [callers],
    },
    'route.retries.statusCodes': {
      asks: [callers, rules({ retries: { attempts: 2, retryOn: ['gateway-error', '429'] } })],
      without: [callers, rules({ retries: { attempts: 2, retryOn: ['gateway-error'] } })],
    },
    'route.retries.remoteLocalities': {
      asks: [callers, rules({ retries: { attempts: 2, retryRemoteLocalities: true } })],
      without: [callers, rules({ retries: { attempts: 2 } })],
    },
  },
  values: () => [
    { attempts: 4, perTryTimeout: '2s' },
    { attempts: 4, perTryTimeout: '2s', backoff: '90ms' },
    { attempts: 4, perTryTimeout: '2s', retryOn: ['5xx', 'reset'] },
  ],
  conflict: [
    { attempts: 4, perTryTimeout: '2s' },
    { attempts: 5, perTryTimeout: '2s' },
  ],
};
