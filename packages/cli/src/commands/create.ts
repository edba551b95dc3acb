/** `meshctl create virtualmesh|trafficpolicy|accesspolicy|virtualdestination`. */
import { Argument, type Command, Option } from 'commander';
import {
  type AccessPolicyAnswers,
  type CreateOptions,
  PROTOCOLS,
  type TrafficPolicyAnswers,
  type VirtualDestinationAnswers,
  type VirtualMeshAnswers,
} from '../create/options.ts';
import { offlineOptions } from '../offline/fleet-options.ts';
import { namespaceName, objectName, policyName } from './names.ts';
import { collect, managementConnection, manifestOption, oneOf, repeated, requestTimeoutOption } from './options.ts';
export function addCreate(program: Command): void {
  const create = program.command('create').summary('create a policy, with questions or by flags');
  addVirtualMesh(create);
  addTrafficPolicy(create);
  addAccessPolicy(create);
  addVirtualDestination(create);
}

function addVirtualMesh(create: Command): void {
  kindCommand(create, 'virtualmesh', {
    summary: 'create a VirtualMesh: its members, their trust, and what is federated',
    asks: 'Asks which meshes are members, how they trust each other, and which Services members of other clusters can call.',
    flags: (command) =>
      command
        .option('--mesh <NAME>', 'a member, by the name of its Mesh object (repeatable)', repeated(objectName), [])
        .option(
          '--trust <generated|secret|limited|unchanged>',
          'a shared root that the server generates, one from a Secret, trust between gateways only, or as it is',
          oneOf('generated', 'secret', 'limited', 'unchanged'),
        )
        .option('--root-secret <NAME>', 'with --trust secret: the Secret in the namespace of the server', objectName)
        .option(
          '--federation <all|namespaces|none>',
          'which Services members of other clusters can call',
          oneOf('all', 'namespaces', 'none'),
        )
        .option(
          '--federate-namespace <NAME>',
          'with --federation namespaces: one of them (repeatable)',
          repeated(namespaceName),
          [],
        ),
    examples: [
      'meshctl create virtualmesh',
      'meshctl create virtualmesh shop --mesh istiod-istio-system-cluster-1 --mesh istiod-istio-system-cluster-2 --trust generated --federation all --apply',
    ],
  }).action(async (name: string | undefined, options: CreateOptions & VirtualMeshAnswers, command: Command) => {
    const { virtualMesh } = await import('../create/virtual-mesh.ts');
    await (await import('../create/create.ts')).create(virtualMesh, name, { options, command });
  });
}

function addTrafficPolicy(create: Command): void {
  kindCommand(create, 'trafficpolicy', {
    summary: 'create a TrafficPolicy: which requests, and what happens to them',
    asks: 'Asks for the called Services, the callers, the paths, and for timeouts, retries, traffic shifts, faults and headers.',
    flags: (command) =>
      destinationOption(command)
        .option('--source <WORKLOAD>', 'only requests of this workload, or all (repeatable)', collect, [])
        .option('--path-prefix <PREFIX>', 'only requests whose path begins with it')
        .option('--timeout <DURATION>', 'how long a request may take, retries included')
        .option('--retries <N>', 'how often a failed request is tried again')
        .option('--per-try-timeout <DURATION>', 'with --retries: how long each try may take')
        .option(
          '--shift <WEIGHT=SERVICE[:PORT][,LABEL=VALUE]>',
          'a share of the requests, for a Service or those of its pods with labels (repeatable)',
          collect,
          [],
        )
        .option('--delay <DURATION>', 'a fault: requests are delayed')
        .option('--abort <STATUS>', 'a fault: requests get a response with this status')
        .option('--fault-percent <N>', 'with --delay or --abort: the percentage of the requests')
        .option('--add-request-header <NAME=VALUE>', 'a header added to requests (repeatable)', collect, [])
        .option('--remove-request-header <HEADER>', 'a header removed from requests (repeatable)', collect, [])
        .option('--add-response-header <NAME=VALUE>', 'a header added to responses (repeatable)', collect, [])
        .option('--remove-response-header <HEADER>', 'a header removed from responses (repeatable)', collect, []),
    examples: [
      'meshctl create trafficpolicy',
      'meshctl create trafficpolicy reviews-canary --destination cluster-1/shop/reviews --shift 90=cluster-1/shop/reviews,version=v1 --shift 10=cluster-1/shop/reviews,version=v2 --apply',
      'meshctl create trafficpolicy shop/patient --destination cluster-1/shop/reviews --path-prefix /search --timeout 10s --retries 2 -o yaml',
    ],
  }).action(async (name: string | undefined, options: CreateOptions & TrafficPolicyAnswers, command: Command) => {
    const { trafficPolicy } = await import('../create/traffic-policy.ts');
    await (await import('../create/create.ts')).create(trafficPolicy, name, { options, command });
  });
}

function addAccessPolicy(create: Command): void {
  kindCommand(create, 'accesspolicy', {
    summary: 'create an AccessPolicy: who may call what',
    asks: 'Asks for the ServiceAccounts that call, the called Services, and the methods and paths.',
    flags: (command) =>
      destinationOption(command)
        .option(
          '--source <SERVICEACCOUNT>',
          'a ServiceAccount of a workload as [[CLUSTER/]NAMESPACE/]NAME, or all (repeatable)',
          collect,
          [],
        )
        .option(
          '--action <allow|deny|audit>',
          'what happens to the requests: allow, unless given',
          oneOf('allow', 'deny', 'audit'),
        )
        .option('--method <METHOD>', 'only this HTTP method (repeatable)', collect, [])
        .option('--path <PATH>', 'only this path, such as /exact or /prefix* (repeatable)', collect, []),
    examples: [
      'meshctl create accesspolicy',
      'meshctl create accesspolicy storefront-reads-reviews --source cluster-1/shop/storefront --destination cluster-1/shop/reviews --method GET --apply',
    ],
  }).action(async (name: string | undefined, options: CreateOptions & AccessPolicyAnswers, command: Command) => {
    const { accessPolicy } = await import('../create/access-policy.ts');
    await (await import('../create/create.ts')).create(accessPolicy, name, { options, command });
  });
}

function addVirtualDestination(create: Command): void {
  kindCommand(create, 'virtualdestination', {
    summary: 'create a VirtualDestination: one host name for Services of several clusters',
    asks: 'Asks for the backends, the order in which callers use them, the host name and port, and the meshes that can call it.',
    flags: (command) =>
      command
        .option(
          '--backend <SERVICE>',
          'a Service as [[CLUSTER/]NAMESPACE/]NAME, the best first; at most one of each cluster (repeatable)',
          collect,
          [],
        )
        .option(
          '--failover <nearest|order>',
          'callers use the nearest healthy backend, or the first healthy one: nearest, unless given',
          oneOf('nearest', 'order'),
        )
        .option('--hostname <HOST>', 'the host name that callers use')
        .option('--port <NUMBER>', 'the port that callers use')
        .option(`--protocol <${PROTOCOLS.join('|')}>`, 'its protocol: HTTP, unless given', oneOf(...PROTOCOLS))
        .option('--target-port <NUMBER>', 'the port of the backends, if it is another one')
        .option('--virtual-mesh <[NAMESPACE/]NAME>', 'the VirtualMesh whose members can call it', policyName)
        .addOption(
          new Option('--mesh <NAME>', 'instead of it: a mesh that can call it (repeatable)')
            .argParser(repeated(objectName))
            .default([])
            .conflicts('virtualMesh'),
        ),
    examples: [
      'meshctl create virtualdestination',
      'meshctl create virtualdestination reviews --backend cluster-1/shop/reviews --backend cluster-2/shop/reviews --hostname reviews.global --port 9080 --virtual-mesh shop --apply',
    ],
  }).action(async (name: string | undefined, options: CreateOptions & VirtualDestinationAnswers, command: Command) => {
    const { virtualDestination } = await import('../create/virtual-destination.ts');
    await (await import('../create/create.ts')).create(virtualDestination, name, { options, command });
  });
}

interface KindCommand {
  readonly summary: string;
  readonly asks: string;
  readonly flags: (command: Command) => Command;
  readonly examples: readonly string[];
}

function kindCommand(create: Command, kind: string, { summary, asks, flags, examples }: KindCommand): Command {
  const command = create
    .command(kind)
    .addArgument(new Argument('[name]', 'NAME in the namespace of the server, or NAMESPACE/NAME').argParser(policyName))
    .summary(summary)
    .description(
      `${asks} You pick names that discovery knows. Then it prints the plan, and writes the object to a file (--out) or to stdout (-o), or creates it in the management cluster (--apply).\nIf flags answer the required questions, nothing is asked; without a terminal they must. The fleet is that of the management cluster, or of files with --cluster. Ctrl-C writes nothing and exits 130. Exits 2 if the policy would not be accepted.`,
    );
  flags(command)
    .addOption(new Option('--apply', 'create the object in the management cluster').conflicts(['out', 'output']))
    .option('--out <FILE>', 'write the object to this new file')
    .addOption(manifestOption());
  return managementConnection(offlineOptions(command), ', if no cluster files are given')
    .addOption(requestTimeoutOption())
    .addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`);
}

/** Services of a policy. */
function destinationOption(command: Command): Command {
  return command.option(
    '--destination <SERVICE>',
    'a called Service as [[CLUSTER/]NAMESPACE/]NAME, or all (repeatable)',
    collect,
    [],
  );
}
