/** Formats explanations as text with tables. */
import type { Report } from '@meshrelay/api';
import {
  type DestinationExplanation,
  type DestinationFromMesh,
  deepEqual,
  type EffectiveField,
  type ExplainDocument,
  type ExplainedOutput,
  type NotApplied,
  type OutputExplanation,
  type PolicyExplanation,
} from '@meshrelay/relay-core';
import { plain } from '../output/plain.ts';
import { reportLines } from '../output/report-lines.ts';
import { patchLines } from './patch-lines.ts';
import { factsSection, indented, linesSection, tableSection } from './sections.ts';
import { virtualLines } from './virtual-lines.ts';
import {
  accessText,
  callersText,
  labelsText,
  matchText,
  meshText,
  outputText,
  placeText,
  policiesText,
  policyText,
  targetText,
  valueText,
} from './words.ts';

/** The text, with a final newline. */
export function explainText(document: ExplainDocument): string {
  return `${linesOf(document).map(plain).join('\n')}\n`;
}

function linesOf(document: ExplainDocument): readonly string[] {
  switch (document.about) {
    case 'output':
      return outputLines(document);
    case 'destination':
      return destinationLines(document);
    case 'policy':
      return policyLines(document);
  }
}

function outputLines(document: OutputExplanation): readonly string[] {
  const { object, plugin, written, sourcePolicies, sources, patches = [], notApplied, rejected, notSent } = document;
  return [
    outputText(object),
    ...indented(
      factsSection([
        ['Written by', written ? `plugin ${plugin}` : 'no plugin: it is not applied'],
        ['Because of', policiesText(sourcePolicies)],
        ['Rejected', rejected],
        ['Not sent', notSent],
      ]),
    ),
    ...sources.flatMap(({ view, target, mesh, fields, untried, shared }) => [
      '',
      `From ${targetText(target)}, ${VIEWS[view] ?? view} ${meshText(mesh)}${shared ? ' (with other views)' : ''}`,
      ...(fields.length === 0 ? ['  the whole object'] : []),
      ...indented(
        tableSection(
          '',
          ['OBJECT FIELD', 'FROM', 'REQUESTS', 'POLICIES'],
          fields.map(({ paths, field, match, from }) => [
            paths.map((path) => (path !== '' ? path : shared ? '(its share)' : '(the whole object)')).join(', '),
            field,
            matchText(match),
            policiesText(from),
          ]),
        ).slice(2),
      ),
      ...(untried === undefined ? [] : [`  and ${untried} more parts, which were not examined`]),
    ]),
    ...patchLines(patches),
    ...notAppliedLines(notApplied),
  ];
}

const VIEWS: Readonly<Record<string, string>> = {
  destinations: 'as called from its own',
  'federated-destinations': 'as called from the remote',
  endpoints: 'its endpoints for',
  meshes: 'for',
  'virtual-destinations': 'with a virtual destination in',
};

function destinationLines(document: DestinationExplanation): readonly string[] {
  const { destination, hostname, ports, serviceAccounts, mesh, policies, visibleTo, federation, outputs } = document;
  const { virtualDestinations, patches } = document;
  return [
    targetText(destination),
    ...indented(
      factsSection([
        ['Host', hostname],
        ['Ports', ports.map(({ number, name, protocol }) => `${number} ${name} (${protocol})`).join(', ')],
        ['Accounts', serviceAccounts.join(', ')],
        ['Mesh', mesh === undefined ? 'none: no policy acts on it' : meshText(mesh)],
        ['Federated as', federation?.hostname],
        ['Virtual IP', federation === undefined ? undefined : (federation.address ?? 'none yet')],
        ['To', federation === undefined ? undefined : holdersText(federation)],
        ['Not federated to', federation?.notFederatedTo?.map(meshText).join(', ')],
        ['Unreachable from', federation?.unavailableTo.map(meshText).join(', ')],
        ['By', federation === undefined ? undefined : policyText(federation.virtualMesh)],
      ]),
    ),
    ...tableSection(
      'Applied policies, in order of acceptance',
      ['POLICY', 'STATE', 'ORDER'],
      policies.map(({ policy, state, sequence }) => [
        policyText(policy),
        state,
        sequence === undefined ? '' : String(sequence),
      ]),
    ),
    ...visibleTo.flatMap(seenLines),
    ...tableSection(
      'Virtual destinations with this backend',
      ['HOST', 'PRIORITY', 'CALLERS', 'POLICY'],
      virtualDestinations.map(({ policy, hostname: host, priority, callers }) => [
        host,
        String(priority),
        callers.map(meshText).join(', '),
        policyText(policy),
      ]),
    ),
    ...patchLines(patches),
    ...notAppliedLines(document.notApplied),
    ...outputLinesOf(outputs),
  ];
}

/** The meshes that resolve the name, each with its virtual IP if that has another address family. */
function holdersText({ address, consumers }: NonNullable<DestinationExplanation['federation']>): string {
  const texts = consumers.map((one) => (one.address === address ? meshText(one) : `${meshText(one)} (${one.address})`));
  return texts.length === 0 ? 'no mesh yet' : texts.join(', ');
}

function seenLines({ consumer, routes, connection, access, subsets }: DestinationFromMesh): readonly string[] {
  const where = consumer === undefined ? '' : `, as seen from ${meshText(consumer)}`;
  return [
    ...tableSection(
      `Routes${where}, first match wins`,
      ['PORT', 'REQUESTS', 'ACTION', 'VALUE', 'POLICIES'],
      routes.flatMap(({ port, match, actions }) =>
        actions.length === 0
          ? [[String(port.number), matchText(match), '(to the destination itself)', '', '']]
          : actions.map((action, index) => [
              index === 0 ? String(port.number) : '',
              index === 0 ? matchText(match) : '',
              action.field,
              valueText(action),
              policiesText(action.from),
            ]),
      ),
    ),
    ...tableSection(`Connections${where}`, ['SETTING', 'VALUE', 'POLICIES'], connection.map(fieldRow)),
    ...tableSection(
      `Subsets${where}`,
      ['NAME', 'LABELS', 'POLICIES'],
      subsets.map(({ value, from }) => [value.name, labelsText(value.labels), policiesText(from)]),
    ),
    ...tableSection(
      `Access${where}`,
      ['RULE', 'POLICIES'],
      access.map((rule) => [accessText(rule), policiesText(rule.from)]),
    ),
  ];
}

function policyLines(document: PolicyExplanation): readonly string[] {
  const { policy, state, sequence, conditions, reports, targets, targetCount, outputs } = document;
  const { virtualDestination, patches, missing = [], callers = [] } = document;
  const untold = targetCount - targets.length;
  return [
    policyText(policy),
    ...indented(
      factsSection([
        ['State', state],
        ['Accepted as', sequence === undefined ? 'not yet' : `number ${sequence}`],
        ...conditions.map(
          ({ type, status, reason, message }) =>
            [type, `${status} (${reason})${message === '' ? '' : `: ${message}`}`] as const,
        ),
      ]),
    ),
    ...linesSection('Reports', reportLines(reports, 2)),
    ...linesSection(
      'References that were not found',
      missing.flatMap(({ ref, likely }) =>
        likely.length === 0
          ? []
          : [`${ref.kind} ${placeText(ref)}: did you mean ${likely.map(placeText).join(', or ')}?`],
      ),
    ),
    ...tableSection(
      'Selected callers',
      ['FIELD', 'WORKLOADS'],
      callers.map((one) => [one.field, callersText(one)]),
    ),
    ...targets.flatMap(({ target, state: there, effects, reports: own }) => [
      '',
      `${targetText(target)}: ${there}`,
      ...indented([
        ...tableSection(
          '',
          ['SETS', 'PORT', 'REQUESTS', 'VALUE', 'WITH'],
          effects.map((given) => [
            given.field,
            given.port === undefined ? '' : String(given.port),
            matchText(given.match),
            valueText(given),
            policiesText(given.from.filter((other) => policyText(other) !== policyText(policy))),
          ]),
        ).slice(2),
        ...reportLines(own, 2),
      ]),
    ]),
    ...(virtualDestination === undefined ? [] : virtualLines(virtualDestination)),
    ...patchLines(patches),
    ...(untold > 0 ? ['', `and ${untold} more target${untold === 1 ? '' : 's'}`] : []),
    ...outputLinesOf(outputs),
  ];
}

function fieldRow(given: EffectiveField): string[] {
  return [given.field, valueText(given), policiesText(given.from)];
}

function notAppliedLines(notApplied: readonly NotApplied[]): readonly string[] {
  const reports = new Map<string, Report[]>();
  for (const { policy, report } of notApplied) {
    const who = policyText(policy);
    const before = reports.get(who) ?? [];
    if (!before.some((other) => deepEqual(other, report))) reports.set(who, [...before, report]);
  }
  return linesSection(
    'Not applied, and notes',
    [...reports].flatMap(([who, reported]) => [who, ...indented(reportLines(reported, 4))]),
  );
}

/** Maximum number of named objects. */
const MAX_OUTPUTS = 100;

function outputLinesOf(outputs: readonly ExplainedOutput[]): readonly string[] {
  const more = outputs.length - MAX_OUTPUTS;
  return [
    ...tableSection(
      'Objects',
      ['CLUSTER', 'KIND', 'NAMESPACE', 'NAME', ''],
      outputs
        .slice(0, MAX_OUTPUTS)
        .map(({ cluster, kind, namespace, name, written, notSent }) => [
          cluster,
          kind,
          namespace,
          name,
          written ? (notSent === undefined ? '' : 'not sent') : 'not applied',
        ]),
    ),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...linesSection('Not sent; clusters keep their current objects', [
      ...new Set(outputs.flatMap(({ notSent }) => notSent ?? [])),
    ]),
  ];
}
