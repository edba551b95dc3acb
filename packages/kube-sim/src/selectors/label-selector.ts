/** Label selectors in queries: `app=web,tier!=db,env in (a,b),!legacy`. */
import { badRequest } from '../errors/api-errors.ts';

/** True if the labels satisfy every requirement of the selector. */
export type LabelMatcher = (labels: Readonly<Record<string, string>> | undefined) => boolean;

const REQUIREMENT =
  /^\s*(?:(?<absent>!\s*[^\s=!,()]+)|(?<key>[^\s=!,()]+)(?:\s*(?<equality>==|=|!=)\s*(?<value>[^\s=!,()]*)|\s+(?<set>in|notin)\s*\((?<values>[^()]*)\))?)\s*(?:,|$)/;

/**
 * Compiles a selector; an empty one matches everything.
 * @throws StatusError 400 when it is not a selector
 */
export function parseLabelSelector(text: string): LabelMatcher {
  const requirements: LabelMatcher[] = [];
  let rest = text;
  while (rest.trim() !== '') {
    const match = REQUIREMENT.exec(rest);
    if (match?.groups === undefined)
      throw badRequest(
        `unable to parse requirement: found '${rest.trim()}', expected: a label key, '!', or an operator`,
      );
    requirements.push(requirement(match.groups));
    rest = rest.slice(match[0].length);
  }
  return (labels) => requirements.every((holds) => holds(labels));
}

function requirement(groups: Record<string, string | undefined>): LabelMatcher {
  const absent = groups['absent'];
  if (absent !== undefined) {
    const key = absent.slice(1).trim();
    return (labels) => labels?.[key] === undefined;
  }
  const key = groups['key'] ?? '';
  const value = groups['value'] ?? '';
  if (groups['equality'] === '!=') return (labels) => labels?.[key] !== value;
  if (groups['equality'] !== undefined) return (labels) => labels?.[key] === value;
  if (groups['set'] === undefined) return (labels) => labels?.[key] !== undefined;
  const values = new Set((groups['values'] ?? '').split(',').map((each) => each.trim()));
  const isIn: LabelMatcher = (labels) => labels?.[key] !== undefined && values.has(labels[key]);
  return groups['set'] === 'in' ? isIn : (labels) => !isIn(labels);
}

/** The selector of a `matchLabels`/`matchExpressions` object, as in Deployments and CRDs. */
export function formatLabelSelector(selector: {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}): string {
  const labels = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator.toLowerCase()} (${(values ?? []).join(',')})`;
  });
  return [...labels, ...expressions].join(',');
}
