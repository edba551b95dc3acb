/** Implements `meshctl install`, `upgrade` and `uninstall`. */
import process from 'node:process';
import { confirm } from '../online/confirm.ts';
import { reported } from '../online/management.ts';
import { plain } from '../output/plain.ts';
import { type Component, chartOf } from './chart.ts';
import { type ValueOptions, valueFlags } from './chart-values.ts';
import { checkHelm, commandLine } from './helm.ts';
import {
  type ChartPlan,
  installChart,
  installCommand,
  renderInstall,
  renderUpgrade,
  upgradeChart,
  upgradeCommand,
  waitForChart,
} from './install.ts';
import { PRINTED } from './progress.ts';
import { describeTarget, type Target, type TargetOptions, targetOf } from './target.ts';
import { uninstallChart } from './uninstall.ts';

export interface InstallOptions extends TargetOptions, ValueOptions {
  readonly dryRun?: boolean;
  readonly printCommand?: boolean;
  readonly takeOwnership?: boolean;
  readonly wait?: boolean;
  /** Milliseconds. */
  readonly timeout: number;
}

export interface UninstallOptions extends TargetOptions {
  readonly crds?: boolean;
  readonly purge?: boolean;
  readonly yes?: boolean;
  /** Milliseconds. */
  readonly timeout: number;
}

export function install(component: Component, options: InstallOptions): Promise<void> {
  return reported(async () => {
    const chart = chartOf(component);
    const values = valueFlags(options);
    if (options.dryRun === true) {
      await checkHelm();
      process.stdout.write(await renderInstall({ chart, target: options, values }));
      return;
    }
    await withPlan(component, options, async (plan) => {
      if (options.printCommand === true) return void process.stdout.write(`${commandLine(installCommand(plan))}\n`);
      await checkHelm();
      process.stdout.write(
        `Installing the ${component} in namespace ${options.namespace} of ${describeTarget(plan.target)}\n`,
      );
      await installChart(plan);
      await waitIfRequested(plan, options);
      process.stdout.write(nextAfter(component));
    });
  });
}

export function upgrade(component: Component, options: InstallOptions): Promise<void> {
  return reported(() =>
    withPlan(component, options, async (plan) => {
      if (options.printCommand === true) return void process.stdout.write(`${commandLine(upgradeCommand(plan))}\n`);
      await checkHelm();
      if (options.dryRun === true) return void process.stdout.write(await renderUpgrade(plan));
      process.stdout.write(
        `Upgrading the ${component} in namespace ${options.namespace} of ${describeTarget(plan.target)}\n`,
      );
      await upgradeChart(plan);
      await waitIfRequested(plan, options);
    }),
  );
}

export function uninstall(component: Component, options: UninstallOptions): Promise<void> {
  const { crds = false, purge = false, yes: confirmed = false, timeout } = options;
  return reported(async () => {
    const target = targetOf(options);
    await using _connection = target.connection;
    await checkHelm();
    const left = await uninstallChart({
      chart: chartOf(component),
      target,
      clusterOptions: clusterOptions(options, target),
      crds,
      purge,
      timeout,
      ...PRINTED,
      confirm: (lines) => confirm({ lines, what: `uninstall the ${component}`, confirmed }),
    });
    process.stdout.write(left.map((line) => `${plain(line)}\n`).join(''));
  });
}

/** As the user named the cluster, and with its context. */
function clusterOptions({ kubeconfig }: TargetOptions, { context }: Target): readonly string[] {
  return [...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]), '--context', context];
}

async function withPlan(
  component: Component,
  options: InstallOptions,
  action: (plan: ChartPlan) => Promise<void>,
): Promise<void> {
  const values = valueFlags(options);
  const target = targetOf(options);
  await using _connection = target.connection;
  await action({
    chart: chartOf(component),
    target,
    values,
    takeOwnership: options.takeOwnership === true,
    ...PRINTED,
  });
}

async function waitIfRequested(plan: ChartPlan, { wait, timeout }: InstallOptions): Promise<void> {
  if (wait === true) await waitForChart(plan, { timeout });
}

function nextAfter(component: Component): string {
  return component === 'server'
    ? 'next: meshctl cluster register NAME --mgmt-context MANAGEMENT --context CLUSTER\n'
    : 'next: meshctl cluster register NAME --mgmt-context MANAGEMENT --context CLUSTER, which gives the agent its token\n';
}
