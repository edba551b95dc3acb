/** `meshctl create accesspolicy`: who may call what. */
import type { AccessPolicySpec, ClusterObjectRef } from '@meshrelay/api';
import { findNamed, type Named } from '../describe/find.ts';
import { givenOr } from './asker.ts';
import type { Authoring } from './authoring.ts';
import {
  ALL,
  accountChoices,
  accountsOf,
  allAlone,
  destinationsQuestion,
  placeText,
  serviceSelector,
} from './choices.ts';
import type { AccessPolicyAnswers } from './options.ts';
import { method as checkMethod, path as checkPath } from './values.ts';

export const accessPolicy: Authoring<AccessPolicyAnswers> = {
  kind: 'AccessPolicy',
  values: { method: checkMethod, path: checkPath },

  missing({ source, destination }) {
    return [
      ...(source.length === 0 ? ['--source SERVICEACCOUNT'] : []),
      ...(destination.length === 0 ? ['--destination SERVICE'] : []),
    ];
  },

  problem: () => undefined,

  async ask(answers, fleet, asker) {
    const { source, destination, action, method, path } = answers;
    return {
      ...answers,
      source: await givenOr(source, () =>
        asker.several({
          message: 'Who calls? The ServiceAccounts of workloads:',
          choices: [{ value: ALL, label: 'every identity of the virtual mesh' }, ...accountChoices(fleet)],
          required: true,
          problem: allAlone,
        }),
      ),
      destination: await givenOr(destination, () =>
        asker.several(destinationsQuestion('Which Services are called?', fleet)),
      ),
      action:
        action ??
        (await asker.one('What happens to these requests?', [
          { value: 'allow', label: 'they are allowed' },
          { value: 'deny', label: 'they are denied' },
          { value: 'audit', label: 'they are logged if they would be denied, and allowed' },
        ])),
      method: await givenOr(method, () =>
        asker.text({
          message: 'Only these methods, with commas (empty: all):',
          parse: (text) => listed(text).map(checkMethod),
        }),
      ),
      path: await givenOr(path, () =>
        asker.text({
          message: 'Only these paths, such as /reviews/*, with commas (empty: all):',
          parse: (text) => listed(text).map(checkPath),
        }),
      ),
    };
  },

  spec({ source, destination, action = 'allow', method, path }, { fleet }): AccessPolicySpec {
    const accounts = accountsOf(fleet).map(namedAccount);
    const serviceAccounts = source.includes(ALL)
      ? []
      : source.map((name) => findNamed('ServiceAccount', name, accounts));
    const destinationSelector = serviceSelector(fleet, destination);
    return {
      ...(serviceAccounts.length === 0 ? {} : { sourceSelector: [{ kubeServiceAccountRefs: { serviceAccounts } }] }),
      ...(destinationSelector === undefined ? {} : { destinationSelector }),
      ...(action === 'allow' ? {} : { action: action === 'deny' ? 'DENY' : 'AUDIT' }),
      ...(method.length === 0 ? {} : { allowedMethods: method }),
      ...(path.length === 0 ? {} : { allowedPaths: path }),
    };
  },
};

function namedAccount(account: ClusterObjectRef): Named<ClusterObjectRef> {
  const { namespace, name } = account;
  return { names: [placeText(account), `${namespace}/${name}`, name], thing: account };
}

function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
