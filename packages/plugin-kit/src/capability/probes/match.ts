/**
 * Probes of route matches. A mesh drops a route whose match it does not support: without the match, the route would
 * match other requests too.
 */
import { ANY_RULES, type Probe, type Probes, traffic } from '../probe.ts';

const rule = (matcher: object): ReturnType<typeof traffic> =>
  traffic({ httpRequestMatchers: [matcher], policy: ANY_RULES });

const matched = (matcher: object): Probe => ({
  asks: [rule(matcher)],
  without: [traffic({ policy: ANY_RULES })],
  refused: [],
});

export const MATCH_PROBES: Probes<'match'> = {
  'match.uri.exact': matched({ uri: { exact: '/books' } }),
  'match.uri.prefix': matched({ uri: { prefix: '/books' } }),
  'match.uri.regex': matched({ uri: { regex: '/books/[0-9]+' } }),
  'match.uri.suffix': matched({ uri: { suffix: '.pdf' } }),
  'match.uri.ignoreCase': {
    asks: [rule({ uri: { exact: '/books', ignoreCase: true } })],
    without: [rule({ uri: { exact: '/books' } })],
    refused: [],
  },
  'match.headers': matched({
    headers: [
      { name: 'x-reader', value: 'eager' },
      { name: 'x-writer', value: 'lazy', invertMatch: true },
    ],
  }),
  'match.queryParameters': matched({ queryParameters: [{ name: 'page', value: '1' }] }),
  'match.method': matched({ method: 'GET' }),
};
