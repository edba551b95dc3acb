/** Compares responses with the expected ones. */
import type { Answer } from '../lab/requests.ts';
import type { Expectation } from './scenario.ts';

/** A count of random choices is wrong if the chance to be as far from its share is below one in a hundred million. */
const CHANCE = 1e-8;

/** One line for each deviation. */
export function differences(answers: readonly Answer[], expected: Expectation): string[] {
  const { status = 200, pods, headers = {}, received = {}, body, took = {} } = expected;
  return [
    ...statusDifferences(status, countsOf(answers.map((answer) => String(answer.status)))),
    ...podDifferences(pods, answers),
    ...answers.flatMap((answer) => [
      ...headerDifferences('answer', headers, answer.headers),
      ...(body === undefined || answer.body.includes(body) ? [] : [`the body is ${answer.body.slice(0, 200)}`]),
      ...(answer.took < (took.least ?? 0) ? [`an answer took ${answer.took} ms, less than ${took.least}`] : []),
      ...(answer.took > (took.max ?? Number.POSITIVE_INFINITY)
        ? [`an answer took ${answer.took} ms, more than ${took.max}`]
        : []),
      ...(answer.by === undefined ? [] : receivedDifferences(received, answer.by)),
    ]),
  ];
}

function statusDifferences(status: NonNullable<Expectation['status']>, counts: ReadonlyMap<string, number>): string[] {
  if (status === 'any') return [];
  if (typeof status === 'number') return shareDifferences('status', { [status]: 100 }, counts);
  if (!Array.isArray(status)) return shareDifferences('status', status as Readonly<Record<string, number>>, counts);
  const [expected, found] = [[...status].map(String).sort(), [...counts.keys()].sort()];
  return expected.join() === found.join() ? [] : [`statuses ${found.join(', ')}, not ${expected.join(', ')}`];
}

/** How often each pod responded, as `<pod>@<cluster>`. */
function podDifferences(pods: Expectation['pods'], answers: readonly Answer[]): string[] {
  if (pods === undefined) return [];
  const counts = countsOf(answers.flatMap(({ by }) => (by === undefined ? [] : [by.pod.replace('.', '@')])));
  if (!Array.isArray(pods))
    return shareDifferences(
      'pod',
      typeof pods === 'string' ? { [pods]: 100 } : (pods as Readonly<Record<string, number>>),
      counts,
    );
  const found = [...counts.keys()].sort();
  return found.length > 0 && found.every((pod) => pods.includes(pod))
    ? []
    : [`${found.join(', ') || 'no pod'} answered, not ${pods.join(', ')}`];
}

function receivedDifferences(
  { headers = {}, url, method, port }: NonNullable<Expectation['received']>,
  got: NonNullable<Answer['by']>,
): string[] {
  return [
    ...headerDifferences('request', headers, got.headers),
    ...(url === undefined || got.url === url ? [] : [`the application was asked for ${got.url}, not ${url}`]),
    ...(port === undefined || got.port === port ? [] : [`the application was asked at port ${got.port}, not ${port}`]),
    ...(method === undefined || got.method === method ? [] : [`the application got ${got.method}, not ${method}`]),
  ];
}

function headerDifferences(
  of: string,
  expected: Readonly<Record<string, string | null>>,
  found: Answer['headers'],
): string[] {
  return Object.entries(expected).flatMap(([name, pattern]) => {
    const value = found[name]?.toString();
    const fits =
      pattern === null ? value === undefined : value !== undefined && new RegExp(`^(?:${pattern})$`).test(value);
    return fits ? [] : [`header ${name} of the ${of} is ${value ?? 'not there'}, not ${pattern ?? 'left out'}`];
  });
}

/** @param shares in percent; other pods must not respond */
export function shareDifferences(
  what: string,
  shares: Readonly<Record<string, number>>,
  counts: ReadonlyMap<string, number>,
): string[] {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const off = [...new Set([...Object.keys(shares), ...counts.keys()])].filter((value) => {
    const share = (shares[value] ?? 0) / 100;
    return total === 0 ? share > 0 : chanceOf(counts.get(value) ?? 0, total, share) < CHANCE;
  });
  if (off.length === 0) return [];
  const found = [...counts].map(([value, count]) => `${value} ${count} times`).join(', ');
  return [`${what}: ${found || 'none'}; expected ${JSON.stringify(shares)} in percent`];
}

/** Upper bound of the chance that a count of random choices is as far from its share (Chernoff). */
function chanceOf(count: number, total: number, share: number): number {
  const part = (found: number, expected: number): number => (found === 0 ? 0 : found * Math.log(found / expected));
  return Math.exp(-total * (part(count / total, share) + part(1 - count / total, 1 - share)));
}

function countsOf(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
