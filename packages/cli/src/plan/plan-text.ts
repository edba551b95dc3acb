/** A plan as text: its extent, then policies, then each cluster's objects with their fields, then destinations. */

import type {
  BlastRadius,
  ChangeKind,
  ClusterPlan,
  FieldChange,
  ObjectChange,
  PlanDocument,
  PolicyChange,
} from '@meshrelay/relay-core';
import { indented, tableSection } from '../explain/sections.ts';
import { policiesText, policyText, targetText } from '../explain/words.ts';
import { counted } from '../output/counted.ts';
import { plain } from '../output/plain.ts';

/** Maximum number of objects of one cluster, fields of one object and destinations; `-o json` has all. */
const MAX_OBJECTS = 100;
const MAX_FIELDS = 20;
const MAX_DESTINATIONS = 50;
/** Maximum characters of one value. */
const MAX_VALUE = 120;

/** The text, with a final newline. */
export function planText(document: PlanDocument): string {
  const { blastRadius, clusters, destinations, policies } = document;
  if (clusters.length === 0 && policies.length === 0) return 'nothing would change\n';
  const lines = [
    radiusText(blastRadius, policies),
    ...policyLines(policies),
    ...clusters.flatMap(clusterLines),
    ...tableSection(
      'Affected destinations',
      ['DESTINATION', 'IN CLUSTERS'],
      destinations
        .slice(0, MAX_DESTINATIONS)
        .map(({ destination, clusters: where }) => [targetText(destination), where.join(', ')]),
    ),
    ...more(destinations.length - MAX_DESTINATIONS, 'destinations'),
  ];
  return `${lines.map(plain).join('\n')}\n`;
}

/** The extent of the change; if it affects no object, the policies that still change. */
function radiusText({ clusters, destinations, ...objects }: BlastRadius, policies: readonly PolicyChange[]): string {
  if (clusters === 0) return `${policiesCounted(policies)}; no object would change`;
  const reach = `${counted(clusters, 'cluster')}, ${counted(destinations, 'destination')}`;
  return `${reach}: ${countsText(objects)}`;
}

function policiesCounted(policies: readonly PolicyChange[]): string {
  const count = { created: 0, changed: 0, deleted: 0, unchanged: 0 };
  for (const { change } of policies) count[change]++;
  const evaluated = count.unchanged === 0 ? '' : `, ${count.unchanged} with another status`;
  return `${counted(policies.length, 'policy')}: ${countsText(count)}${evaluated}`;
}

function countsText({ created, changed, deleted }: Readonly<Record<ChangeKind, number>>): string {
  return `${created} to create, ${changed} to change, ${deleted} to delete`;
}

function policyLines(policies: readonly PolicyChange[]): readonly string[] {
  return [
    ...tableSection(
      'Policies',
      ['POLICY', 'CHANGE', 'STATE'],
      policies.map(({ policy, change, before, after }) => [policyText(policy), change, stateText(before, after)]),
    ),
    ...policies.flatMap(({ policy, pendingUpdates }) =>
      pendingUpdates.map((message) => `  ${policyText(policy)}: ${message}`),
    ),
  ];
}

function stateText(before: string | undefined, after: string | undefined): string {
  if (before === undefined || after === undefined) return after ?? before ?? '';
  return before === after ? after : `${before} -> ${after}`;
}

function clusterLines(plan: ClusterPlan): readonly string[] {
  return [
    '',
    `${plan.cluster}: ${countsText(plan)}`,
    ...indented(plan.objects.slice(0, MAX_OBJECTS).flatMap(objectLines)),
    ...more(plan.objects.length - MAX_OBJECTS, 'objects'),
  ];
}

const SIGNS: Readonly<Record<ChangeKind, string>> = { created: '+', changed: '~', deleted: '-' };

function objectLines({
  change,
  kind,
  namespace,
  name,
  fields,
  sourcePolicies,
  causedBy,
}: ObjectChange): readonly string[] {
  const behind = causedBy.length > 0 ? causedBy : sourcePolicies;
  return [
    `${SIGNS[change]} ${kind} ${namespace}/${name}${behind.length === 0 ? '' : `   because of ${policiesText(behind)}`}`,
    ...fields.slice(0, MAX_FIELDS).map((field) => `    ${fieldText(field)}`),
    ...indented(more(fields.length - MAX_FIELDS, 'fields')),
  ];
}

function fieldText(field: FieldChange): string {
  const { path } = field;
  if (!('before' in field)) return `+ ${path}: ${valueText(field.after)}`;
  if (!('after' in field)) return `- ${path}: ${valueText(field.before)}`;
  return `~ ${path}: ${valueText(field.before)} -> ${valueText(field.after)}`;
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}…`;
}

function more(count: number, of: string): readonly string[] {
  return count > 0 ? [`  and ${count} more ${of}; -o json has all`] : [];
}
